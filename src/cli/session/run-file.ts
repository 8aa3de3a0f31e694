import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { SessionId } from "../../protocol/index.js";
import { makePrivateFolder } from "../places.js";
import type { Places } from "../places.js";
import { identifyProcess, isRunning } from "./process-identity.js";
import type { ProcessIdentity } from "./process-identity.js";

/** What the process that writes a session says of itself, so that others find it. A file of a dead process says nothing. */
export interface RunFile extends ProcessIdentity {
  readonly version: 1;
  /** Unix milliseconds. */
  readonly startedAt: number;
}

const schema = z.object({
  version: z.literal(1),
  pid: z.int().positive(),
  bootId: z.string(),
  startTicks: z.number(),
  startedAt: z.number(),
});

/** Says that this process writes the session, until what is given back is called. */
export function announceRun(places: Places, session: SessionId, startedAt: number): () => void {
  const identity = identifyProcess(process.pid) ?? { pid: process.pid, bootId: "", startTicks: 0 };
  const path = places.runFile(session);
  const file: RunFile = { version: 1, ...identity, startedAt };
  makePrivateFolder(dirname(path));
  // Whole or absent for whoever reads it meanwhile.
  writeFileSync(`${path}.new`, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
}

/** The process that writes a session now, if one does. */
export function findRun(places: Places, session: SessionId): RunFile | undefined {
  const found = schema.safeParse(readJson(places.runFile(session)));
  return found.success && isRunning(found.data) ? found.data : undefined;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // Absent, or left unfinished by a power cut: either way nobody is announced.
    return undefined;
  }
}
