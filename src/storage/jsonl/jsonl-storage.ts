import { isAbsolute } from "node:path";
import { checkSessionId } from "../check.js";
import type { Sequence, SessionReader, SessionStorage, Storage } from "../contract.js";
import { StorageError } from "../errors.js";
import type { StorageDiagnostic } from "./diagnostics.js";
import { telling } from "./failures.js";
import type { FileLayer } from "./file-layer.js";
import { listSessionIds, listUnfinishedIds, SessionFiles } from "./file-names.js";
import { FORMAT_VERSION } from "./header.js";
import { readHistory } from "./history.js";
import { JsonlReader } from "./jsonl-reader.js";
import { JsonlSession } from "./jsonl-session.js";
import { unknownSession } from "./loaded-session.js";
import { nodeFiles } from "./node-files.js";
import { openWriter } from "./open-session.js";
import type { Compaction } from "./main-log.js";
import type { JsonlParts } from "./parts.js";
import { repairFiles } from "./repair-session.js";
import type { RepairedFile } from "./repair-session.js";
import { replaceLog } from "./replacement.js";
import type { RecordBatches } from "./replacement.js";
import { kernelLocks } from "./session-lock.js";
import type { HeldLock, SessionLocks } from "./session-lock.js";
import { systemTimers } from "./timers.js";
import type { Timers } from "./timers.js";
import { verifySession } from "./verify-session.js";
import type { SessionVerification } from "./verify-session.js";

export interface JsonlStorageOptions {
  /** Absolute; made, with its parents, when the first session is. */
  readonly folder: string;
  /** The cap of one output. A sidecar is rewritten when its dead bytes exceed that. Default 51,200. */
  readonly outputCapBytes?: number | undefined;
  /** A main log is rewritten when its dead bytes exceed this and what is alive. Default 1,048,576. */
  readonly minMainDeadBytes?: number | undefined;
  /** How long a commit under `interval` waits for its sync at most. Default 1,000. */
  readonly syncIntervalMs?: number | undefined;
  /** Told of what went wrong and is no call's failure. Default: nobody. */
  readonly onDiagnostic?: ((diagnostic: StorageDiagnostic) => void) | undefined;
  readonly files?: FileLayer | undefined;
  readonly locks?: SessionLocks | undefined;
  readonly timers?: Timers | undefined;
}

/** Sessions in files, and what can be done with those files besides. */
export interface JsonlStorage extends Storage {
  /**
   * Rewrites a session's main log without what is dead in it, and closes it again. Afterwards the session cannot be forked
   * at a place before the last commit by which something died. Refused like `open`.
   */
  compact(sessionId: string): Promise<Compaction>;
  /** Reads all of a session's files, also beside its writer, and says what is wrong where. Changes nothing. */
  verify(sessionId: string): Promise<SessionVerification>;
  /**
   * Replaces damaged files by what can be saved of them, and keeps the originals beside them. Gives what was done, in the
   * order main log, sidecars; nothing where nothing was damaged. Refused like `open`, but not for the damage.
   */
  repair(sessionId: string): Promise<readonly RepairedFile[]>;
}

export const DEFAULT_OUTPUT_CAP_BYTES = 51_200;
export const DEFAULT_MIN_MAIN_DEAD_BYTES = 1024 * 1024;
export const DEFAULT_SYNC_INTERVAL_MS = 1_000;

/** Sessions as files of lines of JSON, which survive the process and the power: `spec/storage-format.md`. */
export function createJsonlStorage(options: JsonlStorageOptions): JsonlStorage {
  const { folder, outputCapBytes = DEFAULT_OUTPUT_CAP_BYTES, syncIntervalMs = DEFAULT_SYNC_INTERVAL_MS } = options;
  const { minMainDeadBytes = DEFAULT_MIN_MAIN_DEAD_BYTES } = options;
  if (!isAbsolute(folder)) {
    throw new StorageError("invalid_argument", `The folder of a storage is an absolute path; "${folder}" is not.`);
  }
  return new FolderStorage(folder, {
    files: options.files ?? nodeFiles,
    locks: options.locks ?? kernelLocks,
    timers: options.timers ?? systemTimers,
    report: options.onDiagnostic ?? (() => undefined),
    syncIntervalMs: checkCount("syncIntervalMs", syncIntervalMs),
    // What is alive can be a base, elements of four caps, and a last one of 64 KiB; ten caps hold that and what is dead.
    maxDeadBytes: checkCount("outputCapBytes", outputCapBytes),
    minMainDeadBytes: checkCount("minMainDeadBytes", minMainDeadBytes),
  });
}

class FolderStorage implements JsonlStorage {
  readonly #folder: string;
  readonly #parts: JsonlParts;

  constructor(folder: string, parts: JsonlParts) {
    this.#folder = folder;
    this.#parts = parts;
  }

  create(sessionId: string): Promise<SessionStorage> {
    return this.#createFrom(sessionId, [], 0);
  }

  async open(sessionId: string): Promise<SessionStorage> {
    return this.#openFor(sessionId);
  }

  async compact(sessionId: string): Promise<Compaction> {
    const session = await this.#openFor(sessionId);
    try {
      return await session.compact();
    } finally {
      await session.close();
    }
  }

  async read(sessionId: string): Promise<SessionReader> {
    const names = await telling(`Session ${sessionId} could not be read`, () => this.#find(sessionId));
    const reader = new JsonlReader(this.#parts.files, names);
    // Says at once what is wrong with the files.
    await reader.usage().catch(async (error: unknown) => {
      await reader.close();
      throw error;
    });
    return reader;
  }

  list(): Promise<readonly string[]> {
    return telling("The sessions could not be listed", async () =>
      listSessionIds(await this.#parts.files.list(this.#folder)),
    );
  }

  async remove(sessionId: string): Promise<void> {
    const names = await this.#find(sessionId);
    await this.#holdLock(names, async (lock) => {
      await this.#removeFiles(names);
      await lock.release();
    });
  }

  verify(sessionId: string): Promise<SessionVerification> {
    return telling(`Session ${sessionId} could not be verified`, async () =>
      verifySession(this.#parts.files, await this.#find(sessionId)),
    );
  }

  async repair(sessionId: string): Promise<readonly RepairedFile[]> {
    const names = await this.#find(sessionId);
    return this.#holdLock(names, async (lock) => {
      const repaired = await repairFiles(this.#parts.files, names);
      // Shows that it opens, and ends what an interrupted write or a dead file left.
      if (repaired.length > 0) await (await openWriter(this.#parts, names)).close();
      await lock.release();
      return repaired;
    });
  }

  async #createFrom(sessionId: string, history: RecordBatches, since: Sequence): Promise<JsonlSession> {
    const { files } = this.#parts;
    checkSessionId(sessionId);
    const names = new SessionFiles(this.#folder, sessionId);
    await telling(`${this.#folder} could not be made`, () => files.makeFolder(this.#folder));
    await this.#refuseExisting(names);
    await telling(`${this.#folder} could not be swept`, () => this.#sweepUnfinished());
    return this.#holdLock(names, async (lock) => {
      await this.#refuseExisting(names);
      const header = { version: FORMAT_VERSION, session: sessionId, scope: null, since };
      const log = await replaceLog(files, names.main, header, history);
      await log.close();
      return this.#open(names, lock);
    });
  }

  async #openFor(sessionId: string): Promise<JsonlSession> {
    const names = await this.#find(sessionId);
    return this.#holdLock(names, (lock) => this.#open(names, lock));
  }

  async #open(names: SessionFiles, lock: HeldLock): Promise<JsonlSession> {
    const writer = await openWriter(this.#parts, names);
    return new JsonlSession(names.sessionId, writer, lock, (target, { upTo, since }) =>
      this.#createFrom(target, readHistory(this.#parts.files, names, upTo), since),
    );
  }

  async #find(sessionId: string): Promise<SessionFiles> {
    checkSessionId(sessionId);
    const names = new SessionFiles(this.#folder, sessionId);
    if ((await this.#parts.files.stat(names.main)) === undefined) throw unknownSession(names);
    return names;
  }

  async #refuseExisting(names: SessionFiles): Promise<void> {
    const { hasMain, scopeIds, kept } = names.sort(await this.#parts.files.list(names.folder));
    if (!hasMain && scopeIds.length + kept.length === 0) return;
    const what = hasMain ? "exists" : `lost its main log, but other files of it lie in ${names.folder}`;
    throw new StorageError("session_exists", `Session ${names.sessionId} ${what}; open it, or choose another id.`);
  }

  /** Main logs that were being made when their process ended, and locks alone, belong to sessions that never were. */
  async #sweepUnfinished(): Promise<void> {
    for (const id of listUnfinishedIds(await this.#parts.files.list(this.#folder))) {
      const names = new SessionFiles(this.#folder, id);
      // What cannot be locked is not this session's to mend.
      const lock = await this.#parts.locks.acquire(names.lock, "sweep").catch(() => undefined);
      if (lock?.isHeld !== true) continue;
      const { hasMain, scopeIds, kept } = names.sort(await this.#parts.files.list(this.#folder));
      if (!hasMain && scopeIds.length + kept.length === 0) await this.#removeFiles(names);
      await lock.release();
    }
  }

  /** The main log goes last, so that a session is gone only when all of it is. */
  async #removeFiles(names: SessionFiles): Promise<void> {
    const { files } = this.#parts;
    const { hasMain, isUnsure, scopeIds, unfinished, kept } = names.sort(await files.list(names.folder));
    for (const name of [...unfinished, ...kept]) await files.unlink(names.path(name));
    if (isUnsure) await files.unlink(names.unsure);
    for (const id of scopeIds) await files.unlink(names.sidecar(id));
    // A power cut must not bring back what went first without what goes last.
    await files.syncFolder(names.folder);
    if (hasMain) await files.unlink(names.main);
    // Locks that are handed in may have no file.
    if ((await files.stat(names.lock)) !== undefined) await files.unlink(names.lock);
    await files.syncFolder(names.folder);
  }

  /** The lock stays with what `run` gives; where that fails it is released, and its file was made for nothing. */
  async #holdLock<R>(names: SessionFiles, run: (lock: HeldLock) => Promise<R>): Promise<R> {
    return telling(`The files of session ${names.sessionId} could not be used`, async () => {
      const lock = await this.#parts.locks.acquire(names.lock);
      if (!lock.isHeld) throw lockedSession(names, lock.pid);
      return run(lock).catch(async (error: unknown) => {
        // While it is held: who waits for this very file finds that its name is gone, and makes the next one.
        await this.#parts.files.unlink(names.lock).catch(() => undefined);
        await lock.release();
        throw error;
      });
    });
  }
}

function lockedSession({ sessionId }: SessionFiles, pid: number | undefined): StorageError {
  const holder = pid === undefined ? "another process" : `process ${pid}`;
  return new StorageError(
    "session_locked",
    `Session ${sessionId} is written by ${holder}. Read it beside its writer, or end that process first.`,
  );
}

function checkCount(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new StorageError("invalid_argument", `${option} is a whole number of at least 1; ${value} is not.`);
}
