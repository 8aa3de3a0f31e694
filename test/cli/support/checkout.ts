import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { readText, repository } from "../../support/files.js";

/** A checkout small enough to install and build in a second: the real start scripts around a program of some lines. */
export interface Checkout extends AsyncDisposable {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  /** Runs `file`, default `scripts/start.mjs`, to its end. */
  start(args: readonly string[], options?: StartOptions): Started;
}

export interface StartOptions {
  readonly file?: string;
  readonly cwd?: string;
  readonly nodeArgs?: readonly string[];
}

export interface Started {
  readonly ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves once the output holds this text. */
  said(text: string): Promise<void>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Tells its arguments, and does what the first of them says: `fail` or `stay`. */
export const TINY_PROGRAM = `console.log("ran", ...process.argv.slice(2));
if (process.argv[2] === "fail") process.exitCode = 7;
if (process.argv[2] === "stay") setInterval(() => {}, 1000);
`;

/** The program is in one file already. */
const TINY_BUNDLER = `import { cpSync } from "node:fs";
const [compiled, folder] = process.argv.slice(2);
cpSync(\`\${compiled}/cli/main.js\`, \`\${folder}/spillway.js\`);
`;

/** A fresh one, or one that is what another one has become. */
export async function makeCheckout(model?: Checkout): Promise<Checkout> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-checkout-"));
  const checkout: Checkout = {
    folder,
    async write(path, text) {
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), text);
    },
    start: (args, options = {}) => start(folder, args, options),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
  if (model === undefined) await layProject(checkout);
  else await cp(model.folder, folder, { recursive: true, verbatimSymlinks: true });
  return checkout;
}

/** The one package that a build needs is linked, so that `npm ci` really runs and fetches nothing. */
async function layProject(checkout: Checkout): Promise<void> {
  await cp(join(repository, "scripts"), join(checkout.folder, "scripts"), { recursive: true });
  await cp(join(repository, "spillway"), join(checkout.folder, "spillway"));
  const compiler = join(repository, "node_modules", "typescript");
  const { version } = JSON.parse(readText("node_modules/typescript/package.json")) as { version: string };
  const path = relative(checkout.folder, compiler);
  const manifest = { name: "tiny", version: "1.0.0", type: "module", dependencies: { typescript: `file:${path}` } };
  const packages = {
    "": manifest,
    [path]: { version },
    "node_modules/typescript": { resolved: path, link: true },
  };
  const settings = { compilerOptions: { module: "NodeNext", rootDir: "src", types: [] }, include: ["src"] };
  await checkout.write("package.json", JSON.stringify(manifest));
  await checkout.write(
    "package-lock.json",
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }),
  );
  await checkout.write("tsconfig.json", "{}");
  await checkout.write("tsconfig.build.json", JSON.stringify(settings));
  await checkout.write("src/cli/main.ts", TINY_PROGRAM);
  await checkout.write("scripts/start/build-cli.mjs", TINY_BUNDLER);
}

function start(folder: string, args: readonly string[], { file, cwd, nodeArgs = [] }: StartOptions): Started {
  const child =
    file === undefined
      ? spawn(process.execPath, [...nodeArgs, join(folder, "scripts", "start.mjs"), ...args], { cwd: cwd ?? folder })
      : spawn(file, args, { cwd: cwd ?? folder });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return {
    kill: (signal) => child.kill(signal),
    said: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (`${stdout}${stderr}`.includes(text)) resolve();
        };
        child.stdout.on("data", look);
        child.stderr.on("data", look);
        child.on("close", () => reject(new Error(`it ended without saying ${text}:\n${stdout}${stderr}`)));
        look();
      }),
    ended: new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    }),
  };
}
