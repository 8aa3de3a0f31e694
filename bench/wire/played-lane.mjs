import { slideText, track } from "../dist/spillway/delta/index.js";
import { chatFacet, createFacetHost } from "../dist/spillway/facet/index.js";
import { emptyLaneView, reduceLaneSnapshot } from "../dist/spillway/lane/index.js";
import { makeCuttable } from "../dist/spillway/wire/index.js";
import { MARK_BYTES, timeMark } from "../lib/monotonic.mjs";
import { createRandom } from "../lib/random.mjs";
import { variedText } from "../lib/text.mjs";

const WINDOW_BYTES = 51_200;
const CALL = { operationId: "op_1", turnId: "turn_1", toolCallId: "call_1" };

export const TOKEN = "bench-view-token";
export const FACET_PATH = "/api/sessions/s_1/lanes/main/facets/chat";

/**
 * One lane with one call, whose window moves by a batch whenever that is asked for: the events are what a harness sends,
 * and all from there to the socket is the real thing.
 *
 * @param {number} batchBytes
 * @param {number} batches So many can be played. Their texts are made now: that is no part of what showing them costs.
 */
export function createPlayedLane(batchBytes, batches) {
  const random = createRandom(batchBytes);
  const texts = Array.from({ length: batches }, () => variedText(random, batchBytes - MARK_BYTES));
  const view = emptyLaneView();
  const chat = createFacetHost(chatFacet, () => structuredClone(view));
  const output = track(fullOutput(variedText(random, WINDOW_BYTES)));

  /** @param {any[]} events */
  const deliver = (events) => {
    for (const event of events) reduceLaneSnapshot(view, event);
    chat.deliver(events);
  };
  deliver([
    { type: "operation_start", operationId: CALL.operationId, laneId: "main" },
    { type: "tool_start", ...CALL, toolName: "bash", args: { command: "make -j8" } },
    { type: "tool_update", ...CALL, ops: output.flush() },
  ]);

  return {
    chat,
    source: createSource(chat),
    /** The event is made now; its time travels in its text. */
    play() {
      const text = texts.pop();
      if (text === undefined) throw new Error(`only ${batches} batches were prepared`);
      const { state } = output;
      const [block] = state.content;
      if (block?.type === "text") slideText(block, "text", batchBytes, timeMark() + text);
      state.truncation.totalBytes += batchBytes;
      deliver([{ type: "tool_update", ...CALL, ops: output.flush() }]);
    },
  };
}

/**
 * A session with nothing but the facet.
 *
 * @param {import("../dist/spillway/facet/index.js").FacetHost<any>} chat
 * @returns {import("../dist/spillway/wire/index.js").WireSource}
 */
export function createSource(chat) {
  const stream = makeCuttable(chat);
  /** @type {import("../dist/spillway/wire/index.js").WireSession} */
  const session = {
    summary: { id: "s_1", state: "running", title: "make -j8", createdAt: 0, updatedAt: 0 },
    lanes: [{ id: "main", facets: ["chat"] }],
    facet: async () => stream,
    entries: async () => undefined,
    output: async () => undefined,
    abort: async () => false,
  };
  return { sessions: async () => [session.summary], session: async () => session };
}

/**
 * @param {string} text
 * @returns {import("../dist/spillway/protocol/index.js").ToolOutputState}
 */
function fullOutput(text) {
  return {
    content: [{ type: "text", text }],
    details: {},
    terminate: false,
    truncation: {
      truncated: true,
      truncatedBy: "bytes",
      totalLines: 8_123,
      totalBytes: 262_144,
      maxLines: 2_000,
      maxBytes: WINDOW_BYTES,
    },
  };
}
