import { chatFacet, createFacetHost, laneFacet } from "../../facet/index.js";
import { toLaneView } from "../../harness/index.js";
import type { LaneView } from "../../lane/index.js";
import type { SessionId } from "../../protocol/index.js";
import { makeCuttable, WireError } from "../../wire/index.js";
import type { FacetStream, WireSession } from "../../wire/index.js";
import { listStoredCalls } from "../cat/stored-call.js";
import { describeFailure } from "../failure.js";
import { findRun } from "../session/run-file.js";
import { readSummary } from "../sessions/summary.js";
import type { SessionStore } from "../session/store.js";
import { readSession } from "../show/session-contents.js";
import { openCallOutput } from "./call-output.js";
import { refuseLaneCommands } from "./lane-commands.js";
import { FACETS } from "./lane-facets.js";
import { pageOf } from "./live-session.js";
import { toWireSummary } from "./session-list.js";

/** A session on which no process works, from its files; undefined where there is none. */
export async function openStoredSession(store: SessionStore, id: SessionId): Promise<WireSession | undefined> {
  const contents = await readSession(store, id).catch((error: unknown) => {
    const { code, message } = describeFailure(error);
    if (code === "session_unknown") return undefined;
    throw new WireError("unavailable", message, { cause: error });
  });
  if (contents === undefined) return undefined;
  const { summary, lanes } = contents;
  const laneOf = (lane: string): (typeof lanes)[number] | undefined => lanes.find((item) => item.id === lane);
  return {
    summary: toWireSummary(summary),
    lanes: lanes.map((lane) => ({ id: lane.id, facets: FACETS, takesMessages: false })),
    facet(lane, facet) {
      const stored = laneOf(lane);
      const isUnsettled = stored?.unsettled !== undefined;
      const stream = stored === undefined ? undefined : openStream(toLaneView(stored), facet);
      if (stream === undefined) return Promise.resolve(undefined);
      return Promise.resolve(isUnsettled ? untilTakenUp(stream, store, id) : ending(stream));
    },
    entries: (lane, page) => Promise.resolve(pageOf(laneOf(lane)?.transcript, page)),
    async output(operation, toolCall) {
      const calls = lanes.flatMap((lane) => listStoredCalls(id, lane));
      const call = calls.find((item) => item.operation === operation && item.id === toolCall);
      return call === undefined ? undefined : openCallOutput(store.places, call);
    },
    abort: () => Promise.resolve(false),
    ...refuseLaneCommands(id),
  };
}

type StoredFacet = FacetStream & { close(): void };

function openStream(view: LaneView, facet: string): StoredFacet | undefined {
  if (facet === "chat") return createFacetHost(chatFacet, () => view);
  return facet === "lane" ? createFacetHost(laneFacet, () => view) : undefined;
}

/** Nothing more comes: who joins gets the value and the end. */
function ending(stream: StoredFacet): FacetStream {
  stream.close();
  return stream;
}

const LOOK_MS = 500;

/** Who watches an operation that was left behind is sent to connect anew as soon as it is worked on, or settled, again. */
function untilTakenUp(host: StoredFacet, store: SessionStore, id: SessionId): FacetStream {
  let looking: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(looking);
    looking = undefined;
  };
  const stream = makeCuttable(host, stop);
  const look = async (): Promise<void> => {
    if (await isLeftBehind(store, id)) return;
    stop();
    stream.cut();
  };
  return {
    subscribe(subscriber) {
      looking ??= setInterval(() => void look(), LOOK_MS).unref();
      return stream.subscribe(subscriber);
    },
  };
}

async function isLeftBehind(store: SessionStore, id: SessionId): Promise<boolean> {
  if (findRun(store.places, id) !== undefined) return false;
  return (await readSummary(store, id))?.state === "unsettled";
}
