import type { Retain } from "../../exec/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { EnvKind, SandboxChoice } from "../session/session-env.js";
import type { Shows } from "../options/shows.js";

/** What `run` was asked for, checked. */
export interface RunRequest {
  /** The session to go on with; a new one otherwise. */
  readonly session: SessionId | undefined;
  /** Shell text. */
  readonly command: string;
  readonly env: EnvKind;
  readonly limits: { readonly retain: Retain; readonly maxBytes: number; readonly maxLines: number };
  /** The encoding in which the command prints; UTF-8 where absent. */
  readonly encoding: string | undefined;
  readonly timeoutSeconds: number | undefined;
  /** An absolute path of a folder. */
  readonly cwd: string;
  /** Names of variables that the command is given though they are withheld otherwise. */
  readonly passedVariables: readonly string[];
  /** Under bubblewrap, where it was asked for. */
  readonly sandbox: SandboxChoice | undefined;
  /** Where the page is to be served on loopback; 0 for any port that is free. */
  readonly port: number | undefined;
  readonly shows: Shows;
}
