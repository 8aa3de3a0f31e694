import { readdirSync } from "node:fs";
import type { OwnedExecution } from "../../exec/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { findRun } from "../session/run-file.js";
import { withRunningHost } from "../session/running-host.js";
import { readSettings } from "../session/settings.js";
import type { SessionStore } from "../session/store.js";

/** The sessions in which MCP clients have called tools with the same root. */
export class RootSessions {
  readonly #store: SessionStore;
  readonly #root: string;
  readonly #known = new Map<SessionId, boolean>();

  constructor(store: SessionStore, root: string) {
    this.#store = store;
    this.#root = root;
  }

  /** Whether a session is known to be one of them. */
  has(session: SessionId): boolean {
    return this.#known.get(session) === true;
  }

  add(session: SessionId): void {
    this.#known.set(session, true);
  }

  async filter(executions: readonly OwnedExecution[]): Promise<readonly OwnedExecution[]> {
    for (const { owner } of executions) await this.#look(owner);
    return executions.filter(({ owner }) => this.has(owner));
  }

  /** Those in which a process that died left something, the one that began last first. */
  async findLeft(context: CliContext): Promise<readonly SessionId[]> {
    const executions = await withRunningHost(context, async (host) => (await host?.listAll()) ?? []);
    const names = new Set([...executions.map(({ owner }) => owner), ...readUnsettled(this.#store)]);
    const left: SessionId[] = [];
    for (const name of [...names].sort().reverse()) {
      if (findRun(this.#store.places, name) === undefined && (await this.#look(name))) left.push(name);
    }
    return left;
  }

  async #look(session: SessionId): Promise<boolean> {
    const known = this.#known.get(session);
    if (known !== undefined) return known;
    const isOfRoot = (await this.#readRoot(session)) === this.#root;
    this.#known.set(session, isOfRoot);
    return isOfRoot;
  }

  /** Whoever owns an execution need not have a session, nor one that can be read. */
  async #readRoot(session: SessionId): Promise<string | undefined> {
    try {
      const reader = await this.#store.storage.read(session);
      try {
        return (await readSettings(reader))?.mcp?.root;
      } finally {
        await reader.close();
      }
    } catch {
      return undefined;
    }
  }
}

/** As `spec/storage-format.md` names the file of an operation that has not settled: `<session>.<operation>.jsonl`. */
const SIDECAR = /^([a-z0-9_-]+)\.[a-z0-9_-]+\.jsonl$/;

function readUnsettled({ places }: SessionStore): readonly SessionId[] {
  try {
    return readdirSync(places.sessions).flatMap((name) => SIDECAR.exec(name)?.[1] ?? []);
  } catch {
    // No session was ever made.
    return [];
  }
}
