import type { Scope } from "../address.js";
import type { StorageUsage } from "../contract.js";
import { StorageError } from "../errors.js";
import type { StorageErrorCode } from "../errors.js";
import { IndexReader } from "../index-reader.js";
import type { SessionContents } from "../index-reader.js";
import { isDeadWithoutHeader } from "./dead-sidecar.js";
import { telling } from "./failures.js";
import type { FileLayer } from "./file-layer.js";
import type { SessionFiles } from "./file-names.js";
import { LoadedLog } from "./loaded-log.js";
import { indexOf, unknownSession } from "./loaded-session.js";
import type { Span } from "./record.js";

/**
 * Reads a session beside its writer and writes nothing. Every reading looks at the files anew and reads on from where
 * it stopped; a torn tail is where a reading ends.
 */
export class JsonlReader extends IndexReader<Span> {
  readonly #files: FileLayer;
  readonly #names: SessionFiles;
  readonly #logs = new Map<string, LoadedLog>();
  #last: Promise<unknown> = Promise.resolve();
  #peakBytes = 0;

  constructor(files: FileLayer, names: SessionFiles) {
    super(names.sessionId);
    this.#files = files;
    this.#names = names;
  }

  async usage(): Promise<StorageUsage> {
    this.refuseClosed();
    return this.#readWhole(async ({ main, sidecars }) => {
      const sidecarBytes = sidecars.reduce((sum, { place }) => sum + place.tail.length, 0);
      this.#peakBytes = Math.max(this.#peakBytes, sidecarBytes);
      return { mainBytes: main.place.tail.length, sidecarBytes, sidecarPeakBytes: this.#peakBytes };
    });
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#inTurn(() => this.#forget());
  }

  protected withContents<R>(read: (contents: SessionContents<Span>) => Promise<R>): Promise<R> {
    return this.#readWhole(async ({ main, sidecars }) => {
      const load = async (scope: Scope, spans: readonly Span[]): Promise<readonly string[]> => {
        const log = this.#logs.get(scope.kind === "session" ? MAIN : scope.id);
        return log === undefined ? [] : log.texts.load(spans);
      };
      return read({ index: indexOf(main, sidecars), load });
    });
  }

  /** One reading after the other, because the next may close files that this one reads. */
  #inTurn<R>(read: () => Promise<R>): Promise<R> {
    const turn = this.#last.then(read);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * What does not make sense, or is no longer there when the reading ends, may be what the writer is taking back or
   * replacing just now: then everything is read again, and only what stays wrong is told.
   */
  #readWhole<R>(read: (session: ReadSession) => Promise<R>): Promise<R> {
    const prevented = `Session ${this.sessionId} could not be read`;
    return this.#inTurn(() => telling(prevented, () => this.#attempt(read)));
  }

  async #attempt<R>(read: (session: ReadSession) => Promise<R>): Promise<R> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const session = await this.#readOn();
        const result = await read(session);
        await refuseChanged(session);
        return result;
      } catch (error) {
        if (error instanceof StorageError && !MAY_PASS.has(error.code)) throw error;
        await this.#forget();
        if (attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Sidecars before the main log: a scope that was retired meanwhile is then seen to be. */
  async #readOn(): Promise<ReadSession> {
    const found = this.#names.sort(await this.#files.list(this.#names.folder));
    if (!found.hasMain) throw unknownSession(this.#names);
    for (const id of this.#logs.keys()) if (id !== MAIN && !found.scopeIds.includes(id)) await this.#drop(id);
    const known = this.#logs.get(MAIN);
    const unreadable: { readonly id: string; readonly error: StorageError }[] = [];
    for (const id of found.scopeIds) {
      await this.#readLog(id, this.#names.sidecar(id)).catch((error: unknown) => {
        if (!(error instanceof StorageError && error.code === "damaged")) throw error;
        unreadable.push({ id, error });
      });
    }
    const main = await this.#readLog(MAIN, this.#names.main);
    if (main === undefined) throw unknownSession(this.#names);
    for (const { id, error } of unreadable) if (!(await this.#isDead(id, main))) throw error;
    const sidecars = [...this.#logs.values()].filter((log) => log !== main && !log.isRetiredBy(main));
    if (main !== known) await this.#refuseReplaced(sidecars);
    return { main, sidecars: sidecars.sort((a, b) => a.header.since - b.header.since) };
  }

  async #readLog(id: string, path: string): Promise<LoadedLog | undefined> {
    const stat = await this.#files.stat(path);
    const known = this.#logs.get(id);
    if (known !== undefined && stat?.identity === known.identity && (await known.isAsRead())) {
      if (stat.size > known.place.tail.length) await known.load();
      return known;
    }
    await this.#drop(id);
    if (stat === undefined) return undefined;
    const log = await LoadedLog.open(this.#files, path, "read", {
      session: this.sessionId,
      scope: id === MAIN ? null : id,
    });
    this.#logs.set(id, log);
    await log.load();
    return log;
  }

  /**
   * A main log that was rewritten since says nothing of scopes whose files are gone: a file that was read before it
   * must still be there, or its scope may have ended in between.
   */
  async #refuseReplaced(sidecars: readonly LoadedLog[]): Promise<void> {
    for (const { path, identity } of sidecars) {
      if ((await this.#files.stat(path))?.identity !== identity) throw changed(path);
    }
  }

  /** Of a sidecar that could not be read: whether that is no matter, because its scope was retired. */
  async #isDead(id: string, main: LoadedLog): Promise<boolean> {
    const log = this.#logs.get(id);
    if (log !== undefined) return log.isRetiredBy(main);
    return isDeadWithoutHeader(this.#files, this.#names.sidecar(id), main.retired.get(id));
  }

  async #drop(id: string): Promise<void> {
    const log = this.#logs.get(id);
    this.#logs.delete(id);
    await log?.close();
  }

  async #forget(): Promise<void> {
    for (const id of this.#logs.keys()) await this.#drop(id);
  }
}

interface ReadSession {
  readonly main: LoadedLog;
  readonly sidecars: readonly LoadedLog[];
}

async function refuseChanged({ main, sidecars }: ReadSession): Promise<void> {
  for (const log of [main, ...sidecars]) {
    if (!(await log.isAsRead())) throw changed(log.path);
  }
}

function changed(path: string): StorageError {
  return new StorageError("io_failed", `${path} changed while it was read; read again.`);
}

/** No scope has this id. */
const MAIN = "";
const MAX_ATTEMPTS = 5;
const MAY_PASS: ReadonlySet<StorageErrorCode> = new Set(["damaged", "io_failed"]);
