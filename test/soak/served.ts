import { chatFacet, createFacetHost, laneFacet } from "../../src/facet/index.js";
import type { FacetHost } from "../../src/facet/index.js";
import type { Harness, Lane } from "../../src/harness/index.js";
import { emptyLaneView, reduceLaneSnapshot } from "../../src/lane/index.js";
import type { LaneView } from "../../src/lane/index.js";
import type { EventGroup, HarnessEvent } from "../../src/protocol/index.js";
import { createWireServer, makeCuttable } from "../../src/wire/index.js";
import type { FacetStream, SessionSummary, WireServer, WireSession, WireSource } from "../../src/wire/index.js";
import { fingerprint } from "./fingerprint.js";
import { SESSION, socketOf, TOKENS, writeNote, writeSight } from "./world.js";
import type { World } from "./world.js";

export const FACETS = ["chat", "lane"] as const;

/** One value in so many is compared with what viewers have. */
export const SIGHT_EVERY = 4;

/** The harness's lanes as viewers see them, and noted as the host has them. */
export class ServedHarness {
  readonly #world: World;
  readonly #life: number;
  readonly #harness: Harness;
  readonly #lanes = new Map<string, ServedLane>();
  readonly #server: WireServer;

  constructor(world: World, life: number, harness: Harness) {
    this.#world = world;
    this.#life = life;
    this.#harness = harness;
    this.#server = createWireServer({ source: this.#source(), tokens: TOKENS });
    for (const lane of harness.lanes()) this.add(lane);
  }

  listen(): Promise<void> {
    return this.#server.listenUnix(socketOf(this.#world, this.#life));
  }

  add(lane: Lane): void {
    if (!this.#lanes.has(lane.id)) this.#lanes.set(lane.id, new ServedLane(this.#world, this.#life, lane));
  }

  /** Says what the last values are, ends the streams, and waits until viewers have their end. */
  async close(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.end();
    await this.#server.idle(10_000);
    await this.#server.close();
  }

  #source(): WireSource {
    const session: WireSession = {
      summary,
      lanes: [],
      facet: (lane, facet) => Promise.resolve(this.#lanes.get(lane)?.streams.get(facet)),
      entries: () => Promise.resolve(undefined),
      output: () => Promise.resolve(undefined),
      abort: (lane, reason) => Promise.resolve(this.#harness.lane(lane).abort(reason)),
      approve: (lane, call, decision) => this.#harness.lane(lane).approve(call, decision),
      say: async (lane, text) => ({ message: await this.#harness.lane(lane).steer(text) }),
      withdraw: (lane, message) => this.#harness.lane(lane).withdraw(message),
    };
    return {
      sessions: () => Promise.resolve([summary]),
      session: (id) => Promise.resolve(id === SESSION ? session : undefined),
    };
  }
}

const summary: SessionSummary = { id: SESSION, state: "open", title: "soak", createdAt: 0, updatedAt: 0 };

class ServedLane {
  readonly streams: ReadonlyMap<string, FacetStream>;
  readonly #hosts: readonly FacetHost<object>[];
  readonly #end: () => void;

  constructor(world: World, life: number, lane: Lane) {
    const chat = createFacetHost(chatFacet, () => lane.view());
    const view = createFacetHost(laneFacet, () => lane.view());
    this.#hosts = [chat, view];
    this.streams = new Map<string, FacetStream>([
      ["chat", makeCuttable(chat)],
      ["lane", makeCuttable(view)],
    ]);
    const violate = (rule: string, place: string): void => writeNote(world, { type: "violation", rule, place });
    const fold = new CheckedFold(world, lane, violate);
    lane.subscribe({
      open: (opened) => fold.open(opened),
      receive: (group) => {
        fold.receive(group);
        for (const host of this.#hosts) host.deliver(group);
        fold.compare();
      },
      end: () => undefined,
    });
    const see = (host: FacetHost<object>, seq: number, last: boolean): void => {
      const value = fingerprint(host.snapshot());
      const sight = { life, lane: lane.id, facet: host.facet.id, seq, value, ...(last ? { last: true as const } : {}) };
      writeSight(world, "host", sight);
    };
    const latest = new Map<FacetHost<object>, number>();
    for (const host of this.#hosts) {
      host.subscribe({
        receive: ({ message: { seq } }) => {
          latest.set(host, seq);
          if (seq % SIGHT_EVERY === 0) see(host, seq, false);
        },
        end: () => see(host, latest.get(host) ?? 0, true),
      });
    }
    this.#end = () => {
      for (const host of this.#hosts) host.close();
    };
  }

  end(): void {
    this.#end();
  }
}

type Violate = (rule: string, place: string) => void;

/** A subscriber's own fold, which holds the events to their order and to the lane's view. */
class CheckedFold {
  readonly #world: World;
  readonly #lane: Lane;
  readonly #violate: Violate;
  #view: LaneView = emptyLaneView();
  #groups = 0;
  /** What began and has not ended, by the id of its call or message, and whether its base came. */
  readonly #open = new Map<string, boolean>();

  constructor(world: World, lane: Lane, violate: Violate) {
    this.#world = world;
    this.#lane = lane;
    this.#violate = violate;
  }

  open(view: LaneView): void {
    this.#view = view;
    const { operation } = view;
    if (operation?.message !== undefined) this.#open.set(operation.message.id, operation.message.state !== undefined);
    for (const { id, output } of operation?.tools ?? []) this.#open.set(id, output !== undefined);
  }

  receive(group: EventGroup): void {
    for (const event of group) {
      this.#checkOrder(event);
      reduceLaneSnapshot(this.#view, event);
      const entry = event.type === "entry_added" ? event.entry.id : "entryId" in event ? event.entryId : undefined;
      if (entry !== undefined) writeNote(this.#world, { type: "told", lane: this.#lane.id, entry });
    }
  }

  /** Within the delivery of a group the lane's own view is the fold up to it. */
  compare(): void {
    this.#groups += 1;
    if (this.#groups % SIGHT_EVERY !== 0) return;
    if (fingerprint(this.#view) === fingerprint(this.#lane.view())) return;
    this.#violate("E3", `lane ${this.#lane.id}, group ${this.#groups}: a subscriber's fold is not the lane's view`);
  }

  #checkOrder(event: HarnessEvent): void {
    const id = "toolCallId" in event ? event.toolCallId : "messageId" in event ? event.messageId : undefined;
    if (id === undefined) return;
    const place = `lane ${this.#lane.id}, ${event.type} of ${id}`;
    if (event.type === "tool_start" || event.type === "message_start") {
      if (this.#open.has(id)) this.#violate("E2", `${place}: it had begun before`);
      this.#open.set(id, false);
      return;
    }
    const isBased = this.#open.get(id);
    if (isBased === undefined) this.#violate("E2", `${place}: it has not begun, or has ended`);
    if (event.type === "tool_update" || event.type === "message_update") {
      if (isBased === false && event.ops[0]?.[0] !== "r") this.#violate("E2", `${place}: the first update is no base`);
      this.#open.set(id, true);
    }
    if (event.type === "tool_end" || event.type === "message_end") this.#open.delete(id);
  }
}
