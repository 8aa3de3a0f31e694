import { StorageError } from "../../storage/index.js";
import type { SessionStorage } from "../../storage/index.js";
import type { CliContext } from "../context.js";
import { createSessionId } from "../places.js";
import { openWritableStore } from "../session/store.js";
import type { SessionStore } from "../session/store.js";
import { openWork } from "./opened-work.js";
import type { OpenedWork } from "./opened-work.js";
import type { McpRequest } from "./request.js";
import { RootSessions } from "./root-sessions.js";

/** The session of this process: opened when it is first needed, so that a client that calls nothing leaves none. */
export class McpSession {
  readonly #request: McpRequest;
  readonly #context: CliContext;
  readonly #store: SessionStore;
  readonly #sessions: RootSessions;
  #opening: Promise<OpenedWork> | undefined;

  constructor(request: McpRequest, context: CliContext) {
    this.#request = request;
    this.#context = context;
    this.#store = openWritableStore(context);
    this.#sessions = new RootSessions(this.#store, request.root);
  }

  /** Opens the session that was named, or the last one of this root in which something was left that nobody works on. */
  async openLeft(): Promise<void> {
    if (this.#request.session !== undefined) {
      await this.open();
      return;
    }
    for (const id of await this.#sessions.findLeft(this.#context)) {
      const storage = await openUnlocked(this.#store, id);
      if (storage === undefined) continue;
      this.#opening = this.#openWork(storage, false);
      await this.#opening;
      return;
    }
  }

  /** The same one each time; after a failure it is tried again. */
  open(): Promise<OpenedWork> {
    this.#opening ??= this.#openOwn().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Leaves it; what runs in an exec host goes on, and is left as after a crash for whoever comes next. */
  async leave(): Promise<{ readonly goesOn: boolean }> {
    const work = await this.#opening?.catch(() => undefined);
    if (work === undefined) return { goesOn: false };
    if (work.isBusy && this.#request.env === "exec-host") return { goesOn: true };
    await work.close();
    return { goesOn: false };
  }

  async #openOwn(): Promise<OpenedWork> {
    const { storage, isNew } = await this.#openStorage();
    return this.#openWork(storage, isNew);
  }

  async #openStorage(): Promise<{ readonly storage: SessionStorage; readonly isNew: boolean }> {
    const { storage } = this.#store;
    const { clock, random } = this.#context;
    const { session } = this.#request;
    if (session === undefined) {
      return { storage: await storage.create(createSessionId(clock.now(), random)), isNew: true };
    }
    try {
      return { storage: await storage.open(session), isNew: false };
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== "session_unknown") throw error;
      return { storage: await storage.create(session), isNew: true };
    }
  }

  async #openWork(storage: SessionStorage, isNew: boolean): Promise<OpenedWork> {
    const [store, request, sessions] = [this.#store, this.#request, this.#sessions];
    try {
      return await openWork({ store, storage, request, sessions, isNew }, this.#context);
    } catch (error) {
      await storage.close();
      throw error;
    }
  }
}

/** Undefined where another process was faster, or the session cannot be written. */
async function openUnlocked({ storage }: SessionStore, id: string): Promise<SessionStorage | undefined> {
  try {
    return await storage.open(id);
  } catch (error) {
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
