import { join } from "node:path/posix";
import { z } from "zod";
import { getOrThrow, resolveCaps } from "../exec/index.js";
import type { EnvFiles, FolderEntry, FolderListing, ShellOutputLimits } from "../exec/index.js";
import type { AgentHarnessTool, ExecutionToolContext } from "./contract.js";
import { unlessAborted } from "./files/aborts.js";
import { ShownLines } from "./files/shown-lines.js";
import { showName } from "./files/visible-text.js";
import { comparePaths } from "./search/path-order.js";

const DEFAULT_ENTRIES = 500;
const MAX_ENTRIES = 10_000;
/** Links whose targets are looked up; the others are only said to be links. */
const MAX_LINKS = 100;

export const lsSchema = z.strictObject({
  path: z.string().min(1).optional().describe("The folder. Default the working folder."),
  limit: z.int().min(1).max(MAX_ENTRIES).optional().describe(`Most entries. Default ${DEFAULT_ENTRIES}.`),
});

export interface LsToolDetails {
  /** Absolute, with no link in it. */
  path: string;
  shown: number;
  /** Entries of the folder; absent where there are too many to be counted. */
  total?: number;
}

export interface LsToolOptions {
  /** What bounds the text of a call; the defaults where unset. The start is kept. */
  readonly output?: Omit<ShellOutputLimits, "retain"> | undefined;
}

/** Lists a folder of the call's env, hidden entries too. */
export function createLsTool(
  options: LsToolOptions = {},
): AgentHarnessTool<ExecutionToolContext, typeof lsSchema, LsToolDetails> {
  const output = resolveCaps({ ...options.output, retain: "head" });
  return {
    name: "ls",
    description: "Lists a folder by name, hidden entries too: folders end with a slash, links show where they lead.",
    parameters: lsSchema,
    output,
    replay: "safe",

    async execute(_id, { path = ".", limit = DEFAULT_ENTRIES }, signal, out, { env }) {
      const listing = getOrThrow(await unlessAborted(signal, env.files.list(path)));
      const entries = listing.entries.toSorted((a, b) => comparePaths(a.name, b.name)).slice(0, limit);
      const lines = await unlessAborted(signal, printEntries(env.files, listing.path, entries));
      const shown = new ShownLines(output);
      lines.every((line) => shown.add(line));
      const total = listing.entries.length;
      out.replace(shown.text);
      out.details = { path: listing.path, shown: shown.count, ...(!listing.truncated && { total }) };
      const notice = describeListing(showName(path), shown.count, listing);
      if (notice !== undefined) out.notice(notice);
    },
  };
}

function describeListing(name: string, shown: number, { entries, truncated }: FolderListing): string | undefined {
  if (entries.length === 0) return `[${name} is empty.]`;
  if (truncated) return `[${shown} of more than ${entries.length} entries shown; use find to narrow them by name.]`;
  if (shown === entries.length) return undefined;
  return `[The first ${shown} of ${entries.length} entries shown, ${entries.length - shown} more; raise limit, or use find.]`;
}

async function printEntries(files: EnvFiles, folder: string, entries: readonly FolderEntry[]): Promise<string[]> {
  const links = entries.filter(({ kind }) => kind === "link").slice(0, MAX_LINKS);
  const targets = new Map(
    await Promise.all(
      links.map(async ({ name }) => {
        const found = await files.stat(join(folder, name));
        if (!found.ok) return [name, "(nothing)"] as const;
        return [name, showName(`${found.value.path}${found.value.kind === "folder" ? "/" : ""}`)] as const;
      }),
    ),
  );
  return entries.map(({ name, kind }) => {
    if (kind === "folder") return `${showName(`${name}/`)}\n`;
    if (kind === "link") return `${showName(name)} -> ${targets.get(name) ?? "…"}\n`;
    return `${showName(name)}${kind === "other" ? " (no plain file)" : ""}\n`;
  });
}
