import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import type { SessionId } from "../../protocol/index.js";
import { makePrivateFolder } from "../places.js";
import type { Places } from "../places.js";
import type { WireTokens } from "../../wire/index.js";
import { identifyProcess, isRunning } from "./process-identity.js";
import type { ProcessIdentity } from "./process-identity.js";

/** What the process that writes a session says of itself, so that others find it. Only its user can read it. */
export interface RunFile extends ProcessIdentity {
  readonly version: 1;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Where it listens; absent where it could not. */
  readonly socket?: string | undefined;
  /** The port on loopback where it serves the page, if it does. */
  readonly port?: number | undefined;
  readonly tokens: WireTokens;
  /** How many watch it: a process that takes over waits until so many have come back. */
  readonly viewers: number;
}

/** What of it differs between processes and moments. */
export type RunNotes = Pick<RunFile, "startedAt" | "socket" | "port" | "tokens" | "viewers">;

const schema = z.object({
  version: z.literal(1),
  pid: z.int().positive(),
  bootId: z.string(),
  startTicks: z.number(),
  startedAt: z.number(),
  socket: z.string().optional(),
  port: z.int().positive().optional(),
  tokens: z.object({ view: z.string().min(16), control: z.string().min(16) }),
  viewers: z.int().min(0),
});

/** Says that this process writes the session, and on what terms it can be watched. */
export function announceRun(places: Places, session: SessionId, notes: RunNotes): void {
  const identity = identifyProcess(process.pid) ?? { pid: process.pid, bootId: "", startTicks: 0 };
  const path = places.runFile(session);
  const file: RunFile = { version: 1, ...identity, ...notes };
  makePrivateFolder(dirname(path));
  // Whole or absent for whoever reads it meanwhile.
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(file)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch (error) {
    rmSync(`${path}.new`, { force: true });
    throw error;
  }
}

export function withdrawRun(places: Places, session: SessionId): void {
  rmSync(places.runFile(session), { force: true });
}

/** The process that writes a session now, if one does. */
export function findRun(places: Places, session: SessionId): RunFile | undefined {
  const found = readRunFile(places, session);
  return found !== undefined && isRunning(found) ? found : undefined;
}

/** What the last process said of itself, whether it lives or was killed; absent after one that ended well. */
export function readRunFile(places: Places, session: SessionId): RunFile | undefined {
  const found = schema.safeParse(readJson(places.runFile(session)));
  return found.success ? found.data : undefined;
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // Absent, or left unfinished by a power cut: either way nobody is announced.
    return undefined;
  }
}
