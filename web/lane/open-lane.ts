import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { ChatRow, ChatState } from "../../src/facet/index.js";
import { follow } from "../../src/wire/client/index.js";
import type { ConnectionError, Following, FollowState } from "../../src/wire/client/index.js";
import { createFrameMeter } from "../batches/frame-meter.js";
import { createBatchHistory } from "../batches/history.js";
import type { BatchHistory } from "../batches/history.js";
import { describeProblem } from "../host/api.js";
import type { Api, LanePlace } from "../host/api.js";
import { entryRow } from "./entry-row.js";
import { createOlderRows } from "./older-rows.js";
import type { OlderRows } from "./older-rows.js";
import { createRowChanges } from "./row-changes.js";
import type { RowChanges } from "./row-changes.js";
import { createStateSize } from "./state-size.js";

/** A lane that is followed. The state is one plain object, changed in place; `version` says that it has changed. */
export interface OpenLane {
  readonly place: LanePlace;
  readonly version: Signal<number>;
  readonly connection: Signal<LaneConnection>;
  readonly paging: Signal<Paging>;
  /** Undefined before the first base. */
  readonly state: ChatState | undefined;
  readonly changes: RowChanges;
  readonly older: OlderRows;
  readonly history: BatchHistory;
  /** Reads the page before what is shown, if there is one and none is being read. */
  loadOlder(): Promise<void>;
  /** Follows again what had ended; what is shown stays until the new base. */
  followAgain(): void;
  stop(): void;
}

export interface LaneConnection {
  readonly state: FollowState;
  readonly why: ConnectionError | undefined;
}

export type Paging = { readonly state: "idle" | "reading" } | { readonly state: "failed"; readonly message: string };

export interface LaneOptions {
  readonly api: Api;
  readonly place: LanePlace;
  /** Calls back once, when it is time to draw. */
  readonly nextFrame: (draw: () => void) => void;
  readonly encode: (text: string) => Uint8Array;
}

const PAGE_ROWS = 50;

export function openLane(options: LaneOptions): OpenLane {
  return new FollowedLane(options);
}

class FollowedLane implements OpenLane {
  readonly version = signal(0);
  readonly connection: Signal<LaneConnection> = signal({ state: "connecting", why: undefined });
  readonly paging: Signal<Paging> = signal({ state: "idle" });
  readonly changes = createRowChanges();
  readonly older = createOlderRows();
  readonly history = createBatchHistory();
  readonly #options: LaneOptions;
  readonly #size;
  readonly #meter = createFrameMeter();
  #state: ChatState | undefined;
  #rows: readonly ChatRow[] = [];
  #following: Following<ChatState> | undefined;
  #attempt = 0;
  #isDrawDue = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#size = createStateSize({ encode: options.encode, trackOf: (holder) => this.changes.trackOf(holder) });
    this.followAgain();
  }

  get place(): LanePlace {
    return this.#options.place;
  }

  get state(): ChatState | undefined {
    return this.#state;
  }

  followAgain(): void {
    const { api, place } = this.#options;
    this.#following?.stop();
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.#following = follow<ChatState>({
      connect: () => this.#meter.measure(api.follow(place, "chat")),
      onState: (state, why) => {
        if (this.#attempt === attempt) this.#enter({ state, why });
      },
    });
    this.#following.consumer.onChange(({ value, seq, batch }) => {
      const touched = this.changes.note(value, batch);
      this.older.follow(this.#rows, value);
      this.#state = value;
      this.#rows = [...value.rows];
      const snapshotBytes = this.#size.measure(value, touched);
      this.history.add({ seq, ops: batch, bytes: this.#meter.frameBytes, snapshotBytes });
      this.#drawSoon();
    });
  }

  /** While it waits, each further try to connect is part of the waiting. */
  #enter(next: LaneConnection): void {
    if (next.state === "connecting" && this.connection.value.state === "waiting") return;
    this.connection.value = next;
  }

  async loadOlder(): Promise<void> {
    const state = this.#state;
    if (state === undefined || this.paging.value.state === "reading" || this.older.before(state) <= 0) return;
    this.paging.value = { state: "reading" };
    try {
      const page = await this.#options.api.entries(this.place, this.older.before(state), PAGE_ROWS);
      const rows = page.entries.map((entry, index) => entryRow(entry, page.from + index));
      this.older.prepend(rows, this.#state ?? state);
      this.paging.value = { state: "idle" };
    } catch (error) {
      this.paging.value = { state: "failed", message: describeProblem(error) };
    }
    this.#drawSoon();
  }

  stop(): void {
    this.#following?.stop();
  }

  /** Batches that come within one frame are drawn once. */
  #drawSoon(): void {
    if (this.#isDrawDue) return;
    this.#isDrawDue = true;
    this.#options.nextFrame(() => {
      this.#isDrawDue = false;
      this.version.value += 1;
    });
  }
}
