import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectExecHost } from "../../src/exec/client/exec-client.js";
import { connectChild, openHostPlace } from "../../src/exec/host/fixtures/host-programs.js";
import { createLocalEnv, getOrThrow } from "../../src/exec/index.js";
import type { ExecutionEnv } from "../../src/exec/index.js";

/** A way to an env. What the tools' tests show, they show on each; another way needs one more of these. */
export interface ToolEnvKind {
  readonly name: string;
  /** An env whose working folder is empty, and which has a folder for spills. */
  open(): Promise<OpenToolEnv>;
}

export interface OpenToolEnv {
  readonly env: ExecutionEnv;
  /** Called when the env was closed. */
  dispose(): Promise<void>;
}

export const toolEnvs: readonly ToolEnvKind[] = [
  {
    name: "in process",
    open() {
      const root = realpathSync(mkdtempSync(join(tmpdir(), "spillway-tools-")));
      const cwd = mkdtempSync(join(root, "work-"));
      const env = createLocalEnv({ cwd, environment: process.env, spillFolder: join(root, "spill") });
      return Promise.resolve({ env, dispose: () => Promise.resolve(rmSync(root, { recursive: true, force: true })) });
    },
  },
  {
    name: "a child over its standard streams",
    async open() {
      const place = openHostPlace();
      const env = await connectExecHost({ connect: connectChild(place, place.folder()) });
      return { env, dispose: () => place.dispose() };
    },
  },
];

/** What lies in a tree of files: content, or where a link leads. */
export type PlantedFile = string | Uint8Array | { readonly linkTo: string };

/** Puts files into an env by its own means, so that it works wherever its files are. */
export async function plantFiles(env: ExecutionEnv, files: Readonly<Record<string, PlantedFile>>): Promise<void> {
  const folders = new Set(Object.keys(files).flatMap((path) => foldersAbove(path)));
  for (const folder of folders) getOrThrow(await env.files.makeFolder(folder));
  const writes = Object.entries(files).map(async ([path, content]) => {
    if (typeof content === "string") return void getOrThrow(await env.files.write(path, Buffer.from(content)));
    if (content instanceof Uint8Array) return void getOrThrow(await env.files.write(path, content));
    getOrThrow(await env.exec('ln -sfn -- "$TARGET" "$NAME"', { env: { TARGET: content.linkTo, NAME: path } }));
  });
  await Promise.all(writes);
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
