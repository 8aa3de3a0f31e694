import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createLocalEnv } from "../../exec/index.js";
import type { LocalEnv } from "../../exec/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import type { SessionStore } from "./store.js";

export interface SessionEnvOptions {
  readonly cwd: string;
  /** Names of variables that commands are given though they are withheld otherwise. */
  readonly passedVariables: readonly string[];
  readonly sandbox?: { readonly network: boolean; readonly writable: readonly string[] } | undefined;
}

/** The env of this machine, with the session's own folder for spills. */
export function openSessionEnv(
  { places }: SessionStore,
  id: SessionId,
  { cwd, passedVariables, sandbox }: SessionEnvOptions,
  { environment, clock, random }: CliContext,
): LocalEnv {
  return createLocalEnv({
    cwd,
    environment,
    spillFolder: places.spillFolder(id),
    spillRoot: places.spills,
    allow: passedVariables,
    // With the tokens and sockets in there a command could have others run outside.
    sandbox: sandbox && { ...sandbox, hidden: [places.state, dirname(places.socket(id))] },
    clock,
    random,
  });
}

/** Removes spills of all sessions that are too old or too many. What goes wrong is no failure of what is being run. */
export async function sweepSpills(env: LocalEnv, store: SessionStore): Promise<void> {
  const unsettled = findUnsettled(store);
  await env.sweep({ keep: (path) => unsettled.has(basename(dirname(path))) }).catch(() => undefined);
}

/** Sessions with a sidecar, which is there as long as an operation is not settled. Told by names alone, at any number of them. */
function findUnsettled({ places }: SessionStore): ReadonlySet<SessionId> {
  const names = readNames(places.sessions);
  return new Set(names.flatMap((name) => SIDECAR.exec(name)?.[1] ?? []));
}

/** As `spec/storage-format.md` names them: `<session>.<operation>.jsonl`. */
const SIDECAR = /^([a-z0-9_-]+)\.[a-z0-9_-]+\.jsonl$/;

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No session was ever made.
    return [];
  }
}
