import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/**
 * What one writes in an afternoon: a line of JSON for each change, with the whole value in it.
 *
 * @param {boolean} isSynced
 * @returns {import("./subject.mjs").Subject}
 */
export function wholeValue(isSynced) {
  return {
    name: `whole-value JSONL${isSynced ? ", synced" : ""}`,
    durable: isSynced ? "power cut" : "kill",
    create: async (folder) => new WholeValueSession(await open(pathIn(folder), "a"), isSynced, []),
    async open(folder) {
      const lines = readFileSync(pathIn(folder), "utf8").trimEnd().split("\n");
      const values = lines.map((line) => JSON.parse(line));
      return new WholeValueSession(await open(pathIn(folder), "a"), isSynced, values);
    },
    async fill(folder, texts) {
      writeInPortions(pathIn(folder), texts, (text) => JSON.stringify({ key: "entry", value: text }));
    },
  };
}

const pathIn = (/** @type {string} */ folder) => join(folder, "session.jsonl");

/**
 * @param {string} path
 * @param {Iterable<string>} texts
 * @param {(text: string, place: number) => string} toLine
 */
export function writeInPortions(path, texts, toLine) {
  const file = openSync(path, "a");
  const portion = [];
  let place = 0;
  for (const text of texts) {
    portion.push(toLine(text, (place += 1)));
    if (portion.length === 1_000) writeFileSync(file, `${portion.splice(0).join("\n")}\n`);
  }
  if (portion.length > 0) writeFileSync(file, `${portion.join("\n")}\n`);
  closeSync(file);
}

class WholeValueSession {
  /** @type {import("node:fs/promises").FileHandle} */
  #file;
  #isSynced;
  /** @type {any[]} */
  #values;
  #message = "";
  #tail = Promise.resolve();

  /** @param {import("node:fs/promises").FileHandle} file @param {boolean} isSynced @param {any[]} values */
  constructor(file, isSynced, values) {
    this.#file = file;
    this.#isSynced = isSynced;
    this.#values = values;
  }

  /** @param {string} text */
  add(text) {
    return this.#write("entry", text);
  }

  /** @param {string} text */
  frame(text) {
    this.#message += text;
    return this.#write("message", this.#message);
  }

  /** @param {number} tool @param {import("./subject.mjs").Change} change */
  checkpoint(tool, { text }) {
    return this.#write(`tool ${tool}`, text);
  }

  /** @param {string} message */
  endMessage(message) {
    this.#message = "";
    return this.add(message);
  }

  /** @param {readonly string[]} outputs */
  async settle(outputs) {
    for (const text of outputs) await this.add(text);
  }

  async last() {
    return this.#values.at(-1).value;
  }

  close() {
    return this.#file.close();
  }

  /** @param {string} key @param {string} value */
  #write(key, value) {
    const line = `${JSON.stringify({ key, value })}\n`;
    this.#tail = this.#tail.then(async () => {
      await this.#file.appendFile(line);
      if (this.#isSynced) await this.#file.datasync();
    });
    return this.#tail;
  }
}
