import { sessionScope, valueAddress } from "../../storage/index.js";
import type { Retain } from "../../exec/index.js";
import type { SessionScope, SessionStorage, SessionReader, ValueAddress } from "../../storage/index.js";

/** How a session's commands are run: stored with it, so that what resumes it bounds output as what began it. */
export interface SessionSettings {
  /** An absolute path of a folder. */
  readonly cwd: string;
  readonly limits: { readonly retain: Retain; readonly maxBytes: number; readonly maxLines: number };
}

const address: ValueAddress<SessionScope, SessionSettings> = valueAddress(sessionScope, "cli/settings");

export async function storeSettings(storage: SessionStorage, { cwd, limits }: SessionSettings): Promise<void> {
  await storage.commit(sessionScope, (transaction) => transaction.set(address, { cwd, limits }));
}

export function readSettings(reader: Pick<SessionReader, "readValue">): Promise<SessionSettings | undefined> {
  return reader.readValue(address);
}
