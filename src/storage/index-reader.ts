import type { EphemeralScope, ListAddress, Scope, ValueAddress } from "./address.js";
import { checkKey, checkLimit, checkScope, checkTag } from "./check.js";
import type { ListElement, ListPage, ReadListOptions, SessionReader, StorageUsage, StoredKey } from "./contract.js";
import { StorageError } from "./errors.js";
import type { SessionIndex } from "./session-index.js";
import type { StoredText } from "./writes.js";

/** What a session holds, and how a backend gets at the texts that the index names. */
export interface SessionContents<T extends StoredText> {
  readonly index: SessionIndex<T>;
  /** The JSON of texts of one scope. Must be called in the turn in which the index gave them. */
  readonly load: (scope: Scope, texts: readonly T[]) => Promise<readonly string[]>;
}

/** The reading half of every backend. */
export abstract class IndexReader<T extends StoredText> implements SessionReader {
  readonly sessionId: string;
  #isClosed = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  abstract usage(): Promise<StorageUsage>;

  /** Runs one reading on the contents as of now. */
  protected abstract withContents<R>(read: (contents: SessionContents<T>) => Promise<R>): Promise<R>;

  async readValue<V>({ scope, key }: ValueAddress<Scope, V>): Promise<V | undefined> {
    checkScope(scope);
    checkKey(key);
    return this.#read(async ({ index, load }) => {
      const text = index.find(scope)?.readValue(key);
      const [json] = text === undefined ? [] : await load(scope, [text]);
      return json === undefined ? undefined : (this.#parse(json, key) as V);
    });
  }

  async readList<V>({ scope, key }: ListAddress<Scope, V>, options: ReadListOptions = {}): Promise<ListPage<V>> {
    checkScope(scope);
    checkKey(key);
    if (options.stopAtTag !== undefined) checkTag(options.stopAtTag);
    const limit = checkLimit(options.limit);
    return this.#read(async ({ index, load }) => {
      const page = index.find(scope)?.readPage(key, options, limit);
      if (page === undefined) return { elements: [] };
      const texts = page.elements.map(({ text }) => text);
      const jsons = await load(scope, texts);
      const elements = page.elements.map(({ sequence, tag }, place): ListElement<V> => {
        const value = this.#parse(jsons[place] ?? "null", key) as V;
        return tag === undefined ? { value, sequence } : { value, sequence, tag };
      });
      return page.next === undefined ? { elements } : { elements, next: page.next };
    });
  }

  async liveScopes(): Promise<readonly EphemeralScope[]> {
    return this.#read(async ({ index }) => index.liveScopes());
  }

  async listKeys(scope: Scope): Promise<readonly StoredKey[]> {
    checkScope(scope);
    return this.#read(async ({ index }) => index.find(scope)?.keys() ?? []);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  protected refuseClosed(): void {
    if (this.#isClosed) throw new StorageError("closed", `Session ${this.sessionId} was closed; open it again.`);
  }

  /** It was JSON when it was stored, and its bytes verified when the session was opened. */
  #parse(json: string, key: string): unknown {
    try {
      return JSON.parse(json);
    } catch (cause) {
      const what = `An element of ${key} in session ${this.sessionId} is no JSON any more`;
      throw new StorageError("damaged", `${what}. See where: spillway verify ${this.sessionId}`, { cause });
    }
  }

  #read<R>(read: (contents: SessionContents<T>) => Promise<R>): Promise<R> {
    this.refuseClosed();
    return this.withContents(read);
  }
}
