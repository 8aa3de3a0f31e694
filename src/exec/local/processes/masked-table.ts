import type { ProcessInfo } from "../../contract.js";
import { SECRET_MARK, SecretMask } from "../../output/secret-mask.js";
import { MAX_COMMAND_LENGTH } from "./process-table.js";
import type { ProcessTable, TableProcess } from "./process-table.js";

/** A table that tells command lines without the secrets that are arguments in them. */
export function maskCommands(table: ProcessTable, secrets: readonly string[]): ProcessTable {
  if (secrets.length === 0) return table;
  const maskProcess = (process: TableProcess): TableProcess => ({
    ...process,
    describe: () => maskCommand(process.describe(), secrets),
  });
  return { ...table, list: async (query) => (await table.list(query)).map(maskProcess) };
}

function maskCommand({ pid, command }: ProcessInfo, secrets: readonly string[]): ProcessInfo {
  const mask = new SecretMask(secrets);
  const masked = Buffer.from(mask.filter(Buffer.from(command))).toString();
  // A line that is cut may end within a secret, and then most of it would be told.
  const isTorn = command.length >= MAX_COMMAND_LENGTH && mask.held.length > 0;
  const end = isTorn ? SECRET_MARK : Buffer.from(mask.finish()).toString();
  return { pid, command: masked + end };
}
