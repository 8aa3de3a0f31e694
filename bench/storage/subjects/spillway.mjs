import { join } from "node:path";

/**
 * Spillway's storage as its harness uses it: pieces of a message and of output are batches of ops in the operation's
 * sidecar, and the transcript is in the main log.
 *
 * @param {string} library The built package's folder.
 * @returns {Promise<import("./subject.mjs").Subject[]>}
 */
export async function loadSpillway(library) {
  const storage = await import(join(library, "storage", "index.js"));
  const delta = await import(join(library, "delta", "index.js"));
  const open = (/** @type {string} */ folder) => storage.createJsonlStorage({ folder });
  return [
    {
      name: "spillway",
      durable: "power cut",
      create: async (folder) => new SpillwaySession(await open(folder).create("s1"), storage, delta),
      open: async (folder) => new SpillwaySession(await open(folder).open("s1"), storage, delta),
      async fill(folder, texts) {
        const session = new SpillwaySession(await open(folder).create("s1"), storage, delta);
        const waiting = [];
        for (const text of texts) {
          waiting.push(session.add(text));
          if (waiting.length === 1_000) await Promise.all(waiting.splice(0));
        }
        await Promise.all(waiting);
        // A tool that was running when its process ended.
        await session.checkpoint(0, { dropped: 0, added: "x".repeat(51_200), text: "" });
        for (let count = 0; count < 60; count += 1) {
          await session.checkpoint(0, { dropped: 1_000, added: "y".repeat(1_000), text: "" });
        }
        await session.close();
      },
    },
  ];
}

class SpillwaySession {
  /** @type {any} */
  #session;
  /** @type {any} */
  #storage;
  /** @type {any} */
  #delta;
  /** @type {Map<string, Stream>} By its list's key. */
  #streams = new Map();
  #operations = 0;
  #entries;

  /** @param {any} session @param {any} storage @param {any} delta */
  constructor(session, storage, delta) {
    this.#session = session;
    this.#storage = storage;
    this.#delta = delta;
    this.#entries = storage.listAddress(storage.sessionScope, "entries");
  }

  /** @param {string} text */
  add(text) {
    return this.#session.commit(this.#storage.sessionScope, (/** @type {any} */ transaction) =>
      transaction.append(this.#entries, { text }),
    );
  }

  /** @param {string} text */
  frame(text) {
    return this.#append("message", 0, text);
  }

  /** @param {number} tool @param {import("./subject.mjs").Change} change */
  checkpoint(tool, { dropped, added }) {
    return this.#append(`tools/${tool}`, dropped, added);
  }

  /** @param {string} message */
  async endMessage(message) {
    this.#streams.delete("message");
    await this.add(message);
    await this.#session.commit(
      this.#scope,
      (/** @type {any} */ transaction) => transaction.clear(this.#storage.listAddress(this.#scope, "message")),
      { sync: "interval" },
    );
  }

  /** @param {readonly string[]} outputs */
  async settle(outputs) {
    this.#streams.clear();
    await this.#session.commit(this.#storage.sessionScope, (/** @type {any} */ transaction) => {
      for (const text of outputs) transaction.append(this.#entries, { text });
      transaction.retireScope(this.#scope);
    });
    this.#operations += 1;
  }

  async last() {
    const { elements } = await this.#session.readList(this.#entries, { order: "desc", limit: 1 });
    return elements[0].value.text;
  }

  /** The text of a tool that was running: from its last base on. */
  async recover() {
    const list = this.#storage.listAddress(this.#scope, "tools/0");
    const { elements } = await this.#session.readList(list, { order: "desc", stopAtTag: "base" });
    const decoder = this.#delta.decoder();
    let state;
    for (const { value } of elements.toReversed()) state = this.#delta.apply(state, decoder.decode(value));
    return state.text;
  }

  usage() {
    return this.#session.usage();
  }

  close() {
    return this.#session.close();
  }

  get #scope() {
    return this.#storage.ephemeralScope(`op_${this.#operations}`);
  }

  /** @param {string} key @param {number} dropped @param {string} added */
  #append(key, dropped, added) {
    const known = this.#streams.get(key);
    const stream = known ?? { tracker: this.#delta.track({ text: "" }), encoder: this.#delta.encoder(), count: 0 };
    this.#streams.set(key, stream);
    this.#delta.slideText(stream.tracker.state, "text", dropped, added);
    const isBase = stream.count % BASE_ELEMENTS === 0;
    stream.count += 1;
    if (isBase) stream.tracker.rebase();
    const batch = stream.encoder.encode(stream.tracker.flush());
    const list = this.#storage.listAddress(this.#scope, key);
    const options = isBase ? { tag: "base", supersedes: true } : {};
    return this.#session.commit(
      this.#scope,
      (/** @type {any} */ transaction) => transaction.append(list, batch, options),
      { sync: "interval" },
    );
  }
}

/** @typedef {{ tracker: any, encoder: any, count: number }} Stream */

/** As the harness has it: a recovery reads so many elements at most. */
const BASE_ELEMENTS = 64;
