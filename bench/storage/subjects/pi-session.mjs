import { readdirSync } from "node:fs";
import { join } from "node:path";
import { BACKGROUND_CONTEXT } from "@earendil-works/pi-agent-core/harness/context";
import { NodeExecutionEnv } from "@earendil-works/pi-agent-core/harness/env/nodejs";
import {
  JsonlSessionRepo,
  pendingAssistantFrames,
  pendingToolOutput,
} from "@earendil-works/pi-agent-core/harness/session";
import { writeInPortions } from "./whole-value.mjs";

const context = BACKGROUND_CONTEXT;

/** @type {import("./subject.mjs").Subject} */
export const piSession = {
  name: "pi JSONL session",
  durable: "kill",
  async create(folder) {
    const session = await repoIn(folder).create({ cwd: folder, id: "s1" }, context);
    await session.createBranch("main", null, context);
    return new PiSession(session);
  },
  async open(folder) {
    const repo = repoIn(folder);
    const [found] = await repo.list({}, context);
    return new PiSession(await repo.open(/** @type {any} */ (found), context));
  },
  async fill(folder, texts) {
    await (await this.create(folder)).close();
    const path =
      readdirSync(folder, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".jsonl")) ?? "";
    let parentId = /** @type {string | null} */ (null);
    let seq = 1;
    writeInPortions(join(folder, path), texts, (text, place) => {
      const id = `e${place}`;
      const entry = { id, parentId, seq: (seq += 1), timestamp: place, type: "message", message: toMessage(text) };
      const tip = { kind: "value", op: "set", seq: (seq += 1), namespace: "pi.branch.tip", key: "main", value: id };
      parentId = id;
      return JSON.stringify([{ ...entry, kind: "entry" }, tip]);
    });
  },
};

/** @param {string} folder */
function repoIn(folder) {
  return new JsonlSessionRepo({ fileSystem: new NodeExecutionEnv({ cwd: folder }), sessionsRoot: folder });
}

/** @param {string} text */
function toMessage(text) {
  return { role: "user", content: [{ type: "text", text }], timestamp: 0 };
}

class PiSession {
  /** @type {any} */
  #session;
  #operations = 0;

  /** @param {any} session */
  constructor(session) {
    this.#session = session;
  }

  /** @param {string} text */
  async add(text) {
    const branch = await this.#session.branch("main", context);
    return branch.appendMessage(toMessage(text), context);
  }

  /** @param {string} text */
  frame(text) {
    return this.#session.appendList(this.#frames, { type: "text_delta", contentIndex: 0, delta: text }, context);
  }

  /** @param {number} tool @param {import("./subject.mjs").Change} change */
  checkpoint(tool, { text }) {
    const result = { content: [{ type: "text", text }], details: {} };
    return this.#session.setValue(this.#output(tool), result, context);
  }

  /** @param {string} message */
  async endMessage(message) {
    await this.add(message);
    await this.#session.deleteList(this.#frames, context);
  }

  /** @param {readonly string[]} outputs */
  async settle(outputs) {
    for (const text of outputs) await this.add(text);
    for (const tool of outputs.keys()) await this.#session.deleteValue(this.#output(tool), context);
    this.#operations += 1;
  }

  async last() {
    const branch = await this.#session.branch("main", context);
    const entry = await branch.findEntry({ order: "desc" }, context);
    return entry.message.content[0].text;
  }

  close() {
    return this.#session.close(context);
  }

  get #frames() {
    return pendingAssistantFrames(`op${this.#operations}`, "response");
  }

  /** @param {number} tool */
  #output(tool) {
    return pendingToolOutput(`op${this.#operations}`, `call${tool}`);
  }
}
