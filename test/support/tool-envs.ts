import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { connectExecHost } from "../../src/exec/client/exec-client.js";
import { connectChild, openHostPlace } from "../../src/exec/host/fixtures/host-programs.js";
import { createLocalEnv, getOrThrow } from "../../src/exec/index.js";
import type { ExecutionEnv } from "../../src/exec/index.js";
import type { Json } from "../../src/protocol/index.js";
import { buildCli } from "../cli/support/built-cli.js";
import { isCi, skipReason } from "./machine-needs.js";
import type { MachineNeed } from "./machine-needs.js";
import { connectInside, startSshHosts } from "./remote-hosts.js";
import type { ToolRun } from "../../src/tools/fixtures/run-tool.js";

/** A way to an env. What the tools' tests show, they show on each; another way needs one more of these. */
export interface ToolEnvKind {
  readonly name: string;
  /** Programs without which a machine has no such env. */
  readonly needs: readonly MachineNeed[];
  /** Whether only {@link everyToolEnv} has it outside CI, because all that is done there takes its time. */
  readonly isSlow: boolean;
  /** An env whose working folder is empty, and which has a folder for spills. */
  open(): Promise<OpenToolEnv>;
}

export interface OpenToolEnv {
  readonly env: ExecutionEnv;
  /** Called when the env was closed. */
  dispose(): Promise<void>;
}

export const inProcess: ToolEnvKind = {
  name: "in process",
  needs: [],
  isSlow: false,
  open() {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "spillway-tools-")));
    const cwd = mkdtempSync(join(root, "work-"));
    const env = createLocalEnv({ cwd, environment: process.env, spillFolder: join(root, "spill") });
    return Promise.resolve({ env, dispose: () => Promise.resolve(rmSync(root, { recursive: true, force: true })) });
  },
};

const child: ToolEnvKind = {
  name: "a child over its standard streams",
  needs: [],
  isSlow: false,
  async open() {
    const place = openHostPlace();
    const env = await connectExecHost({ connect: connectChild(place, place.folder()) });
    return { env, dispose: () => place.dispose() };
  },
};

const daemon: ToolEnvKind = {
  name: "a daemon over its socket",
  needs: [],
  isSlow: true,
  async open() {
    const place = openHostPlace();
    const env = await connectExecHost({ connect: place.connect, cwd: place.folder(), environment: process.env });
    return { env, dispose: () => place.dispose() };
  },
};

const overSsh: ToolEnvKind = {
  name: "through ssh",
  needs: ["ssh", "sshd", "bwrap"],
  isSlow: true,
  async open() {
    await buildCli();
    const hosts = await startSshHosts();
    return { env: await hosts.connect(), dispose: () => hosts.stop() };
  },
};

const inside: ToolEnvKind = {
  name: "in a file system of its own",
  needs: ["bwrap"],
  isSlow: true,
  async open() {
    await buildCli();
    return { env: await connectInside(), dispose: () => Promise.resolve() };
  },
};

const kinds = [inProcess, child, daemon, overSsh, inside];

/** Every way, each with the reason for which it is left out here, in its title. */
export const everyToolEnv = kinds.map((kind) => titled(kind, skipReason(...kind.needs)));

/** The same, but that the slow ones are left to CI. */
export const toolEnvs = kinds.map((kind) =>
  titled(kind, skipReason(...kind.needs) ?? (kind.isSlow && !isCi ? "left to CI" : undefined)),
);

/** What runs the tests of a way, or skips them. */
interface TitledKind {
  readonly title: string;
  readonly kind: ToolEnvKind;
  readonly isSkipped: boolean;
}

function titled(kind: ToolEnvKind, lack: string | undefined): TitledKind {
  return { title: lack === undefined ? kind.name : `${kind.name} (${lack})`, kind, isSkipped: lack !== undefined };
}

/** Defines tests for each of the ways; `stage` has the env of the one that they run in. */
export function describeIn(ways: readonly TitledKind[], define: (stage: { readonly env: ExecutionEnv }) => void): void {
  describe.each(ways)("$title", ({ kind, isSkipped }) => {
    describe.skipIf(isSkipped)("the tools", () => {
      define(useToolEnv(kind));
    });
  });
}

const OPEN_MS = 180_000;

/** Opens an env for the tests around the call, whose working folder is empty when each begins. */
export function useToolEnv(kind: ToolEnvKind): { readonly env: ExecutionEnv } {
  let opened: OpenToolEnv | undefined;
  beforeAll(async () => {
    opened = await kind.open();
  }, OPEN_MS);
  beforeEach(async () => {
    getOrThrow(await stage.env.exec("rm -rf ./* ./.[!.]*", {}));
  });
  afterAll(async () => {
    await opened?.env.close();
    await opened?.dispose();
  });
  const stage = {
    get env(): ExecutionEnv {
      if (opened === undefined) throw new Error("the env is there once the tests have begun");
      return opened.env;
    },
  };
  return stage;
}

/** What lies in a tree of files: content, or where a link leads. */
export type PlantedFile = string | Uint8Array | { readonly linkTo: string };

/** Puts files into an env by its own means, so that it works wherever its files are. */
export async function plantFiles(env: ExecutionEnv, files: Readonly<Record<string, PlantedFile>>): Promise<void> {
  const folders = new Set(Object.keys(files).flatMap((path) => foldersAbove(path)));
  for (const folder of folders) getOrThrow(await env.files.makeFolder(folder));
  await Promise.all(Object.entries(files).map(async ([path, content]) => plantFile(env, path, content)));
}

async function plantFile(env: ExecutionEnv, path: string, content: PlantedFile): Promise<void> {
  if (typeof content === "string") getOrThrow(await env.files.write(path, Buffer.from(content)));
  else if (content instanceof Uint8Array) getOrThrow(await env.files.write(path, content));
  else getOrThrow(await env.exec('ln -sfn -- "$TARGET" "$NAME"', { env: { TARGET: content.linkTo, NAME: path } }));
}

function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** A file's bytes as latin-1. */
export async function readPlanted(env: ExecutionEnv, path: string): Promise<string> {
  const { bytes } = getOrThrow(await env.files.read(path));
  return Buffer.from(bytes).toString("latin1");
}

/** What a call showed: the error's message, the text, the notice. */
export function shownBy(run: ToolRun): Json {
  const { error } = run;
  return [error instanceof Error ? error.message : null, run.text(), run.notice() ?? null];
}
