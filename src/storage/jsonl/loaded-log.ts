import type { Sequence } from "../contract.js";
import { StorageError } from "../errors.js";
import { ScopeIndex } from "../scope-index.js";
import type { FileLayer, OpenFile } from "./file-layer.js";
import { FORMAT_VERSION, MAX_HEADER_BYTES, parseHeader } from "./header.js";
import type { LogHeader } from "./header.js";
import { LogScan } from "./log-scan.js";
import type { LogDamage, LogPlace } from "./log-scan.js";
import { endOfLine } from "./record.js";
import type { Span } from "./record.js";
import { TextSource } from "./text-source.js";

/** A file of a session as it was read: what it holds, and how far it makes sense. */
export class LoadedLog {
  readonly path: string;
  readonly identity: string;
  readonly header: LogHeader;
  readonly file: OpenFile;
  readonly texts: TextSource;
  readonly index = new ScopeIndex<Span>();
  /** Of a main log: the last retirement of each scope. */
  readonly retired = new Map<string, Sequence>();
  place: LogPlace;
  /** What is known to be synced: the header, which was before the file got its name, and what any line says. */
  synced: number;
  /** Where an interrupted write begins that must be cut before the file is written. */
  torn: LogDamage | undefined;

  private constructor(path: string, file: OpenFile, identity: string, header: LogHeader, place: LogPlace) {
    this.path = path;
    this.file = file;
    this.identity = identity;
    this.header = header;
    this.place = place;
    this.synced = place.tail.length;
    this.texts = new TextSource(path, file);
  }

  /** Reads the header alone. Fails as the system says where there is no file. */
  static async open(
    files: FileLayer,
    path: string,
    mode: "read" | "write",
    owner: { readonly session: string; readonly scope: string | null },
  ): Promise<LoadedLog> {
    const file = await files.open(path, mode);
    try {
      const beginning = Buffer.alloc(MAX_HEADER_BYTES);
      const parsed = parseHeader(beginning.subarray(0, await file.read(beginning, 0)));
      // A file gets its name after its header was synced, so a header that does not verify was never merely torn.
      const fault = faultOfHeader(path, parsed?.header, owner);
      if (fault instanceof StorageError) throw fault;
      if (fault !== undefined || parsed === undefined) {
        throw damaged(path, owner.session, { line: 1, offset: 0, reason: fault ?? NO_HEADER });
      }
      const { identity } = await file.stat();
      return new LoadedLog(path, file, identity, parsed.header, { tail: parsed.tail, lastSequence: 0, lines: 1 });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Reads on from where it stopped to the end of the file. Throws `damaged` unless all but a torn tail verifies. */
  async load(): Promise<void> {
    const scan = new LogScan(this.file, this.place);
    for await (const records of scan.read()) {
      for (const { sequence, writes } of records) {
        for (const write of writes) {
          if (write.kind === "retire") this.retired.set(write.scopeId, sequence);
          else this.index.apply(write, sequence);
        }
      }
    }
    this.place = scan.place;
    this.synced = Math.max(this.synced, scan.highestSynced);
    this.torn = scan.damage;
    if (scan.damage !== undefined && !scan.isTorn) throw damaged(this.path, this.header.session, scan.damage);
  }

  /** Whether the file still holds what was read of it: every line names the one before, so the last speaks for all. */
  async isAsRead(): Promise<boolean> {
    const { length, crc } = this.place.tail;
    const expected = Buffer.from(endOfLine(crc), "latin1");
    const found = Buffer.alloc(expected.length);
    const count = await this.file.read(found, length - found.length);
    return count === found.length && found.equals(expected);
  }

  /** Whether a main log has ended the life that this sidecar holds. */
  isRetiredBy(main: LoadedLog): boolean {
    return this.header.scope !== null && (main.retired.get(this.header.scope) ?? 0) > this.header.since;
  }

  close(): Promise<void> {
    return this.texts.close();
  }
}

const NO_HEADER = "it is no header that verifies";

/** What is wrong with a file's header: an error where a newer program wrote it, otherwise a clause. */
export function faultOfHeader(
  path: string,
  header: LogHeader | undefined,
  owner: Pick<LogHeader, "session" | "scope">,
): StorageError | string | undefined {
  if (header === undefined) return NO_HEADER;
  if (header.version > FORMAT_VERSION) {
    return new StorageError(
      "unsupported_version",
      `${path} has format version ${header.version}; this program reads up to ${FORMAT_VERSION}. Use a newer spillway.`,
    );
  }
  if (header.session === owner.session && header.scope === owner.scope) return undefined;
  const named =
    header.scope === null ? `session ${header.session}` : `scope ${header.scope} of session ${header.session}`;
  return `it is the header of ${named}, so the file was renamed or copied`;
}

function damaged(path: string, sessionId: string, { line, offset, reason }: LogDamage): StorageError {
  return new StorageError(
    "damaged",
    `${path}, line ${line} (byte ${offset}): ${reason}. It was known to be whole, so this is no interrupted write. ` +
      "Nothing was changed. Restore the file from a copy, or save what can be saved, with the file kept as it is: " +
      `spillway repair ${sessionId}`,
  );
}
