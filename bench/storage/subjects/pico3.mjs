import { join } from "node:path";
import { track } from "@earendil-works/chord/delta";
import { JsonlStorage } from "@earendil-works/pi-agent-core/experimental/pico3";
import { BACKGROUND_CONTEXT } from "@earendil-works/pi-agent-core/harness/context";
import { writeInPortions } from "./whole-value.mjs";

const context = BACKGROUND_CONTEXT;
const CONVERSATION = 1;
/** @type {any} */
const STICKY = { doc: "sticky", conversationId: CONVERSATION };

/**
 * Its storage as its session uses it: one tracked document for what is not settled, whose ops go to a file that is
 * rewritten from a base when nothing runs any more.
 *
 * @param {boolean} fsync
 * @returns {import("./subject.mjs").Subject}
 */
export function pico3(fsync) {
  return {
    name: `pico3${fsync ? "" : ", fsync off"}`,
    durable: fsync ? "power cut, but for new files" : "kill",
    async create(folder) {
      const storage = await JsonlStorage.open(folder, { fsync });
      await storage.commit([{ type: "conversation", conversation: { id: storage.mintId() } }], context);
      return new Pico3Session(storage);
    },
    open: async (folder) => new Pico3Session(await JsonlStorage.open(folder, { fsync })),
    async fill(folder, texts) {
      await (await this.create(folder)).close();
      writeInPortions(join(folder, "main.jsonl"), texts, (text, place) =>
        JSON.stringify({
          seq: place + 1,
          maxId: place + 1,
          writes: [{ type: "entry", entry: toEntry(place + 1, text) }],
        }),
      );
    },
  };
}

/** @param {number} id @param {string} text @returns {any} */
function toEntry(id, text) {
  return { id, conversationId: CONVERSATION, kind: "pi.user", model: { role: "user", content: text } };
}

class Pico3Session {
  #storage;
  #tracker = track(/** @type {any} */ ({ message: "", tools: [] }));

  /** @param {JsonlStorage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @param {string} text */
  add(text) {
    return this.#storage.commit([{ type: "entry", entry: toEntry(this.#storage.mintId(), text) }], context);
  }

  /** @param {string} text */
  frame(text) {
    this.#tracker.state.message += text;
    return this.#commit([]);
  }

  /** @param {number} tool @param {import("./subject.mjs").Change} change */
  checkpoint(tool, { text }) {
    this.#tracker.state.tools[tool] ??= { output: "" };
    this.#tracker.state.tools[tool].output = text;
    return this.#commit([]);
  }

  /** @param {string} message */
  endMessage(message) {
    this.#tracker.state.message = "";
    return this.#commit([{ type: "entry", entry: toEntry(this.#storage.mintId(), message) }]);
  }

  /** @param {readonly string[]} outputs */
  async settle(outputs) {
    const entries = outputs.map((text) => toEntry(this.#storage.mintId(), text));
    this.#tracker.state.tools = [];
    this.#tracker.rebase();
    await this.#commit(entries.map((entry) => ({ type: "entry", entry })));
    await this.#storage.truncate(STICKY, context);
  }

  async last() {
    const [entry] = await this.#storage.scanEntries({ conversationId: CONVERSATION, limit: 1 }, context);
    return /** @type {any} */ (entry).model.content;
  }

  close() {
    return this.#storage.close(context);
  }

  /** @param {any[]} writes */
  #commit(writes) {
    return this.#storage.commit([...writes, { type: "doc", ref: STICKY, ops: this.#tracker.flush() }], context);
  }
}
