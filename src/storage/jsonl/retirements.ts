import type { Sequence } from "../contract.js";
import { isDeadWithoutHeader } from "./dead-sidecar.js";
import type { FileLayer } from "./file-layer.js";
import type { SessionFiles } from "./file-names.js";
import type { LogHeader } from "./header.js";
import { inspectLog } from "./inspection.js";
import type { LogInspection } from "./inspection.js";
import type { ParsedRecord } from "./record.js";

/** A main log that may be damaged, its records, and what they say of scopes. */
export interface Retirements {
  readonly main: LogInspection;
  readonly records: readonly ParsedRecord[];
  /** Whether the life that a sidecar holds has ended, as far as that can be told. */
  readonly isRetired: (scope: string, header: LogHeader | undefined) => Promise<boolean>;
}

/** Every record of a main log that verifies by itself counts here, whatever is damaged beside it. */
export async function loadRetirements(
  files: FileLayer,
  names: SessionFiles,
  options: { readonly keepsRecords: boolean } = { keepsRecords: false },
): Promise<Retirements> {
  const retired = new Map<string, Sequence>();
  const records: ParsedRecord[] = [];
  const take = (record: ParsedRecord): void => {
    if (options.keepsRecords) records.push(record);
    for (const write of record.writes) {
      if (write.kind !== "retire") continue;
      retired.set(write.scopeId, Math.max(record.sequence, retired.get(write.scopeId) ?? 0));
    }
  };
  const main = await inspectLog(files, names, null, { good: take, standing: take });
  return {
    main,
    records,
    async isRetired(scope, header) {
      const sequence = retired.get(scope);
      if (header !== undefined) return (sequence ?? 0) > header.since;
      return isDeadWithoutHeader(files, names.sidecar(scope), sequence);
    },
  };
}
