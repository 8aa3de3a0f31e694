import type { Retain } from "../../exec/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { EnvKind, SessionEnvOptions } from "../session/session-env.js";

/** What `mcp` was asked for, checked. */
export interface McpRequest {
  /** The session to go on with, or to begin under this name. */
  readonly session: SessionId | undefined;
  /** An absolute path of a folder, without a link in it. */
  readonly root: string;
  readonly env: EnvKind;
  readonly limits: { readonly retain: Retain; readonly maxBytes: number; readonly maxLines: number };
  readonly sandbox: SessionEnvOptions["sandbox"];
  readonly passedVariables: readonly string[];
  /** Set where it is served over HTTP and not on standard input and output. */
  readonly http: McpHttpRequest | undefined;
  /** Whether the page is served too. */
  readonly hasPage: boolean;
}

export interface McpHttpRequest {
  /** 0 for any that is free. */
  readonly port: number;
  /** Default in the state folder. */
  readonly tokenFile: string | undefined;
}
