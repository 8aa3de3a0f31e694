import { join } from "node:path";
import type { FileLayer } from "./file-layer.js";

/**
 * Where the files of a session lie. Ids have no dots, so a name tells its session and scope:
 *
 * - `<session>.jsonl`, the main log, and `<session>.<scope>.jsonl`, a sidecar;
 * - either with `.new` behind it: a file that is being made and counts for nothing;
 * - either with `.cut-<number>` behind it: the torn tail that an opening cut off, by its epoch or the next free number;
 * - either with `.damaged-<number>` behind it: what a repair replaced, by the next free number;
 * - `<session>.jsonl.unsure`: a sync failed, so that what the files show may not be what is on disk;
 * - `<session>.lock`.
 */
export class SessionFiles {
  readonly folder: string;
  readonly sessionId: string;

  constructor(folder: string, sessionId: string) {
    this.folder = folder;
    this.sessionId = sessionId;
  }

  get main(): string {
    return join(this.folder, `${this.sessionId}.jsonl`);
  }

  get unsure(): string {
    return `${this.main}.unsure`;
  }

  get lock(): string {
    return join(this.folder, `${this.sessionId}.lock`);
  }

  sidecar(scopeId: string): string {
    return join(this.folder, `${this.sessionId}.${scopeId}.jsonl`);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** What the names of a folder are to this session. */
  sort(names: readonly string[]): SortedNames {
    const sorted: SortedNames = { hasMain: false, isUnsure: false, scopeIds: [], unfinished: [], kept: [] };
    for (const name of names) {
      const [, sessionId, scopeId, addition] = SESSION_FILE.exec(name) ?? [];
      if (sessionId !== this.sessionId) continue;
      if (addition === ".new") sorted.unfinished.push(name);
      else if (addition === ".unsure") sorted.isUnsure = true;
      else if (addition !== undefined) sorted.kept.push(name);
      else if (scopeId === undefined) sorted.hasMain = true;
      else sorted.scopeIds.push(scopeId);
    }
    return sorted;
  }
}

export interface SortedNames {
  hasMain: boolean;
  isUnsure: boolean;
  readonly scopeIds: string[];
  readonly unfinished: string[];
  /** Torn tails and damaged originals, kept for a person. */
  readonly kept: string[];
}

/** The sessions among the names of a folder. */
export function listSessionIds(names: readonly string[]): string[] {
  return names.flatMap((name) => MAIN_LOG.exec(name)?.[1] ?? []).sort();
}

/** Sessions of which there is a main log that is being made, or was when its maker ended, or a lock, but no main log. */
export function listUnfinishedIds(names: readonly string[]): string[] {
  const made = new Set(listSessionIds(names));
  const begun = new Set(names.flatMap((name) => UNFINISHED_MAIN_LOG.exec(name)?.[1] ?? []));
  return [...begun].filter((id) => !made.has(id));
}

export function unfinishedPath(path: string): string {
  return `${path}.new`;
}

/** A free name for what is kept of a file, by this number or the next free one. */
export async function findKeptPath(
  files: FileLayer,
  path: string,
  kind: "cut" | "damaged",
  from: number,
): Promise<string> {
  let number = from;
  while ((await files.stat(`${path}.${kind}-${number}`)) !== undefined) number += 1;
  return `${path}.${kind}-${number}`;
}

const MAIN_LOG = /^([a-z0-9_-]{1,64})\.jsonl$/;
const UNFINISHED_MAIN_LOG = /^([a-z0-9_-]{1,64})\.(?:jsonl\.new|lock)$/;
const SESSION_FILE = /^([a-z0-9_-]{1,64})(?:\.([a-z0-9_-]{1,64}))?\.jsonl(\.new|\.unsure|\.(?:cut|damaged)-\d+)?$/;
