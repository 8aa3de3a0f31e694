import { closeSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a project says to agents that work on it. */
export interface ProjectNotes {
  readonly path: string;
  readonly text: string;
  /** Set where the file is longer than what is passed on: its size in bytes. */
  readonly cutFrom?: number;
}

export const NOTES_FILE = "AGENTS.md";
export const MAX_NOTES_BYTES = 32_768;

/** The folder of the repository that a folder lies in, if it does. */
export function findRepository(folder: string): string | undefined {
  return ancestorsOf(folder).find((path) => statSync(join(path, ".git"), { throwIfNoEntry: false }) !== undefined);
}

/** The nearest AGENTS.md from the folder upwards to its repository; outside of one, that of the folder alone. */
export function readProjectNotes(folder: string): ProjectNotes | undefined {
  const root = findRepository(folder) ?? folder;
  for (const path of ancestorsOf(folder)) {
    const notes = readNotes(join(path, NOTES_FILE));
    if (notes !== undefined || path === root) return notes;
  }
  return undefined;
}

/** The folder itself first. */
function ancestorsOf(folder: string): string[] {
  return dirname(folder) === folder ? [folder] : [folder, ...ancestorsOf(dirname(folder))];
}

/** Undefined where there is none, where it is empty, and where it cannot be read. */
function readNotes(path: string): ProjectNotes | undefined {
  try {
    // A named pipe would be waited for.
    const found = statSync(path);
    if (!found.isFile()) return undefined;
    const text = readStart(path);
    if (text.trim() === "") return undefined;
    return { path, text, ...(found.size > MAX_NOTES_BYTES && { cutFrom: found.size }) };
  } catch {
    return undefined;
  }
}

function readStart(path: string): string {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(MAX_NOTES_BYTES);
    const length = readSync(descriptor, bytes, 0, MAX_NOTES_BYTES, 0);
    // A character that the limit cuts is left out.
    return new TextDecoder().decode(bytes.subarray(0, length), { stream: length === MAX_NOTES_BYTES });
  } finally {
    closeSync(descriptor);
  }
}
