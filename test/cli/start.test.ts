import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeCheckout, TINY_PROGRAM } from "./support/checkout.js";
import type { Checkout, Ended } from "./support/checkout.js";

const isCi = process.env["CI"] === "true";
/** In CI many rounds. */
const LONG = { timeout: 600_000 };

let built: Checkout;
let first: Ended;
beforeAll(async () => {
  built = await makeCheckout();
  first = await built.start(["run", "--", "a b", "*"]).ended;
});
afterAll(() => built[Symbol.asyncDispose]());

test("[R12] the first start installs and builds, the next does neither, and arguments arrive", async () => {
  const second = await built.start(["--version"]).ended;

  expect(first).toMatchObject({ code: 0, stdout: "ran run -- a b *\n" });
  expect(first.stderr).toMatch(/installing packages \(npm ci\): done.*\n.*\n.*building \(tsc\): done/);
  expect(second).toEqual({ code: 0, signal: null, stdout: "ran --version\n", stderr: "" });
});

test("[R12] exit code and signal are the program's own", async () => {
  expect(await built.start(["fail"]).ended).toMatchObject({ code: 7, signal: null });
  const running = built.start(["stay"]);
  await running.said("ran stay");
  running.kill("SIGHUP");

  expect(await running.ended).toMatchObject({ code: null, signal: "SIGHUP" });
});

test("[R12] ./spillway works through a link, from any folder, and names no demo", async () => {
  symlinkSync("spillway", join(built.folder, "link"));

  const file = join(built.folder, "link");
  const ended = await built.start([], { file, cwd: "/" }).ended;

  expect(ended).toMatchObject({ code: 0, stdout: "ran\n" });
});

test("[R12] changed sources are built again, and only they decide it", async () => {
  await using checkout = await makeCheckout(built);

  await checkout.write("src/cli/main.test.ts", "export {};");
  expect((await checkout.start(["x"]).ended).stderr).toBe("");
  await checkout.write("src/cli/main.ts", TINY_PROGRAM.replace("ran", "ran anew"));
  const changed = await checkout.start(["x"]).ended;

  expect(changed.stdout).toBe("ran anew x\n");
  expect(changed.stderr).not.toContain("installing");
  expect(changed.stderr).toContain("building (tsc): done");
});

test("[R12] packages that are not those of the lock file are installed again", async () => {
  await using checkout = await makeCheckout(built);

  const installed = join(checkout.folder, "node_modules", ".package-lock.json");
  await checkout.write(
    "node_modules/.package-lock.json",
    readFileSync(installed, "utf8").replace(/"version": "6[^"]+"/, '"version": "5.0.0"'),
  );
  const next = await checkout.start(["x"]).ended;

  expect(next.stderr).toContain("installing packages (npm ci): done");
  expect(next.stderr).not.toContain("building");
});

test("[R12] of several starts at once one works and the others wait", async () => {
  await using checkout = await makeCheckout();

  const ends = await Promise.all([1, 2, 3].map((n) => checkout.start([String(n)]).ended));

  expect(ends.map((end) => end.stdout)).toEqual(["ran 1\n", "ran 2\n", "ran 3\n"]);
  const said = ends.map((end) => end.stderr).join("");
  expect(said.match(/npm ci\): done/g)).toHaveLength(1);
  expect(said.match(/tsc\): done/g)).toHaveLength(1);
  expect(said.match(/waiting for another start/g)).toHaveLength(2);
});

test(
  "[R12] a start that is killed while it builds leaves dist whole or absent, and the next one goes on",
  LONG,
  async () => {
    await using checkout = await makeCheckout(built);

    for (let round = 0; round < (isCi ? 12 : 1); round += 1) {
      await checkout.write("src/cli/main.ts", `${TINY_PROGRAM}// round ${round}\n`);
      const killed = checkout.start(["x"]);
      await killed.said("building");
      const delayMs = Math.random() * 1_500;
      await wait(delayMs);
      killed.kill("SIGKILL");
      await killed.ended;

      expect(isWholeOrAbsent(checkout), `killed after ${delayMs} ms`).toBe(true);
      expect(await checkout.start(["x"]).ended).toMatchObject({ code: 0, stdout: "ran x\n" });
    }
  },
);

test("[R12] a start that is told to end while it builds ends its step and then itself", async () => {
  await using checkout = await makeCheckout();

  const told = checkout.start(["x"]);
  await told.said("building");
  told.kill("SIGTERM");

  expect(await told.ended).toMatchObject({ signal: "SIGTERM", stdout: "" });
  expect(existsSync(join(checkout.folder, "dist"))).toBe(false);
});

test("[R12] a build that fails is told with the compiler's words", async () => {
  await using checkout = await makeCheckout(built);
  await checkout.write("src/cli/main.ts", "const = 1;\n");

  const ended = await checkout.start(["x"]).ended;

  expect(ended).toMatchObject({ code: 125, stdout: "" });
  expect(ended.stderr).toMatch(/the build failed.*\n(.*\n)*.*src\/cli\/main\.ts.*error TS/);
});

test("[R12] an install that fails is told with npm's words", async () => {
  await using checkout = await makeCheckout();
  await checkout.write("package-lock.json", "{ this is no lock file");

  const ended = await checkout.start(["x"]).ended;

  expect(ended).toMatchObject({ code: 125, stdout: "" });
  expect(ended.stderr).toMatch(/npm ci failed[^]*npm error/);
});

test.each([
  [
    "Node 18.20.8",
    { versions: { node: "18.20.8" } },
    /^spillway: Node 18\.20\.8 is too old; install Node 20\.19 or newer/,
  ],
  ["Node 20.18.0", { versions: { node: "20.18.0" } }, /^spillway: Node 20\.18\.0 is too old/],
  ["Windows", { platform: "win32" }, /^spillway: Windows itself is not supported; run this inside WSL/],
  ["another system", { platform: "sunos" }, /^spillway: this system \(sunos\) is not supported/],
])("[R12] %s is refused in one sentence", async (_name, pretended, message) => {
  const lines = Object.entries(pretended).map(
    ([name, value]) => `Object.defineProperty(process, "${name}", { value: ${JSON.stringify(value)} });`,
  );
  await built.write("pretend.cjs", lines.join("\n"));

  const ended = await built.start(["x"], { nodeArgs: ["-r", "./pretend.cjs"] }).ended;

  expect(ended).toMatchObject({ code: 125, stdout: "" });
  expect(ended.stderr).toMatch(message);
  expect(ended.stderr.trimEnd()).not.toContain("\n");
});

function isWholeOrAbsent({ folder }: Checkout): boolean {
  const dist = join(folder, "dist");
  if (!existsSync(dist)) return true;
  return (
    existsSync(join(dist, "build.stamp")) &&
    readFileSync(join(dist, "bin", "spillway.js"), "utf8").startsWith("console.log")
  );
}
