import { sessionScope, valueAddress } from "../../storage/index.js";
import type { Retain } from "../../exec/index.js";
import type { SessionScope, SessionStorage, SessionReader, ValueAddress } from "../../storage/index.js";
import type { EnvKind, SandboxChoice } from "./session-env.js";

/** How a session's commands are run: stored with it, so that what resumes it bounds and holds them as what began it did. */
export interface SessionSettings {
  /** An absolute path of a folder. */
  readonly cwd: string;
  readonly env: EnvKind;
  readonly limits: { readonly retain: Retain; readonly maxBytes: number; readonly maxLines: number };
  /** Absent where commands are not under bubblewrap. */
  readonly sandbox?: SandboxChoice | undefined;
  /** The encoding in which commands print; UTF-8 where absent. */
  readonly encoding?: string | undefined;
  /** Where MCP clients call the session's tools. */
  readonly mcp?: McpSettings | undefined;
  /** The name of the model that works in the session; absent where none does. Never a key. */
  readonly model?: string | undefined;
}

export interface McpSettings {
  /** The folder that clients see, without a link in it. */
  readonly root: string;
}

/** Sessions from before there was a choice ran their commands in process. */
type Stored = Omit<SessionSettings, "env"> & Partial<Pick<SessionSettings, "env">>;

const address: ValueAddress<SessionScope, Stored> = valueAddress(sessionScope, "cli/settings");

export async function storeSettings(storage: SessionStorage, settings: SessionSettings): Promise<void> {
  const { cwd, env, limits, sandbox, encoding, mcp, model } = settings;
  const stored = {
    cwd,
    env,
    limits,
    ...(sandbox && { sandbox }),
    ...(encoding !== undefined && { encoding }),
    ...(mcp && { mcp }),
    ...(model !== undefined && { model }),
  };
  await storage.commit(sessionScope, (transaction) => transaction.set(address, stored));
}

export async function readSettings(reader: Pick<SessionReader, "readValue">): Promise<SessionSettings | undefined> {
  const stored: Stored | undefined = await reader.readValue(address);
  return stored && { ...stored, env: stored.env ?? "in-process" };
}
