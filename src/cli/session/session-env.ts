import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { connectDaemon, connectExecHost, createLocalEnv, sweepSpills } from "../../exec/index.js";
import type { ExecClient, LocalEnv } from "../../exec/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { CliError, describeFailure } from "../failure.js";
import { startExecHost } from "./exec-host-start.js";
import type { SessionStore } from "./store.js";

/** Where a session's commands run: in the exec host of the state folder, which goes on without its clients, or in this process. */
export type EnvKind = "exec-host" | "in-process";

export interface SessionEnvOptions {
  readonly env: EnvKind;
  readonly cwd: string;
  /** Names of variables that commands are given though they are withheld otherwise. */
  readonly passedVariables: readonly string[];
  readonly sandbox?: SandboxChoice | undefined;
}

/** What commands under bubblewrap may use besides their own folder. */
export interface SandboxChoice {
  readonly network: boolean;
  /** Absolute paths of folders. */
  readonly writable: readonly string[];
}

/** The env of this machine, with the session's own folder for spills. */
export async function openSessionEnv(
  { places }: SessionStore,
  id: SessionId,
  { env, cwd, passedVariables: allow, sandbox }: SessionEnvOptions,
  context: CliContext,
): Promise<ExecClient | LocalEnv> {
  const { environment, clock, random } = context;
  const common = { cwd, environment, allow, clock, random };
  if (env === "in-process") {
    // With the tokens and sockets in there a command could have others run outside. The exec host sees to that by itself.
    const hidden = [places.state, dirname(places.socket(id))];
    const spills = { spillFolder: places.spillFolder(id), spillRoot: places.spills };
    return createLocalEnv({ ...common, ...spills, sandbox: sandbox && { ...sandbox, hidden } });
  }
  const connect = connectDaemon({ root: places.state, start: () => startExecHost(places, context), clock });
  try {
    return await connectExecHost({ ...common, sandbox, connect, owner: id });
  } catch (cause) {
    const { message } = describeFailure(cause);
    throw new CliError("exec_host", `${message}; or do without it: spillway run --in-process`, { cause });
  }
}

/** Removes spills of all sessions that are too old or too many. What goes wrong is no failure of what is being run. */
export async function removeOldSpills({ places }: SessionStore, { clock }: CliContext): Promise<void> {
  const keep = keepUnsettled(places.sessions);
  await sweepSpills({ folder: places.spills, keep, clock }).catch(() => undefined);
}

/** Whether a spill is of a session that is not settled at this moment, by the names in the folder of sessions. */
export function keepUnsettled(sessions: string): (path: string) => boolean {
  const unsettled = findUnsettled(sessions);
  return (path) => unsettled.has(basename(dirname(path)));
}

/** Sessions with a sidecar, which is there as long as an operation is not settled. Told by names alone, at any number of them. */
function findUnsettled(sessions: string): ReadonlySet<SessionId> {
  const names = readNames(sessions);
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
