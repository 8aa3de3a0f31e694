import { sessionScope, valueAddress } from "../../storage/index.js";
import type { Retain } from "../../exec/index.js";
import type { SessionScope, SessionStorage, SessionReader, ValueAddress } from "../../storage/index.js";
import type { EnvKind } from "./session-env.js";

/** How a session's commands are run: stored with it, so that what resumes it bounds output as what began it. */
export interface SessionSettings {
  /** An absolute path of a folder. */
  readonly cwd: string;
  readonly env: EnvKind;
  readonly limits: { readonly retain: Retain; readonly maxBytes: number; readonly maxLines: number };
  /** Where MCP clients call the session's tools. */
  readonly mcp?: McpSettings | undefined;
}

export interface McpSettings {
  /** The folder that clients see, without a link in it. */
  readonly root: string;
}

/** Sessions from before there was a choice ran their commands in process. */
type Stored = Omit<SessionSettings, "env"> & Partial<Pick<SessionSettings, "env">>;

const address: ValueAddress<SessionScope, Stored> = valueAddress(sessionScope, "cli/settings");

export async function storeSettings(
  storage: SessionStorage,
  { cwd, env, limits, mcp }: SessionSettings,
): Promise<void> {
  const settings = { cwd, env, limits, ...(mcp !== undefined && { mcp }) };
  await storage.commit(sessionScope, (transaction) => transaction.set(address, settings));
}

export async function readSettings(reader: Pick<SessionReader, "readValue">): Promise<SessionSettings | undefined> {
  const stored: Stored | undefined = await reader.readValue(address);
  return stored && { ...stored, env: stored.env ?? "in-process" };
}
