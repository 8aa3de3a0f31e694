import type { SessionId } from "../../protocol/index.js";
import type { EnvKind, SandboxChoice } from "../session/session-env.js";
import type { Shows } from "../options/shows.js";

/** What `ask` was asked for, checked. */
export interface AskRequest {
  /** What to ask; where there is none, standard input says it. */
  readonly prompt: string | undefined;
  /** The model's name; that of the session, or of `SPILLWAY_MODEL`, where there is none. */
  readonly model: string | undefined;
  /** The session to go on with; a new one otherwise. */
  readonly session: SessionId | undefined;
  /** An absolute path of a folder; that of the session, or the current one, where there is none. */
  readonly cwd: string | undefined;
  readonly env: EnvKind;
  /** Names of variables that commands are given though they are withheld otherwise. */
  readonly passedVariables: readonly string[];
  readonly sandbox: SandboxChoice | undefined;
  /** Whether every call may be run without asking. */
  readonly allowsAll: boolean;
  /** Where the page is to be served on loopback; 0 for any port that is free. */
  readonly port: number | undefined;
  readonly shows: Shows;
}
