import { foldLaneEvent } from "../lane/index.js";
import type { LaneOperation, LaneView } from "../lane/index.js";
import type { Facet } from "./contract.js";
import { jsonBytes } from "./json-size.js";

export interface LaneFacetOptions {
  /** Most bytes of the state as JSON. Default {@link LANE_FACET_MAX_BYTES}. */
  readonly maxBytes?: number | undefined;
}

/** 1 MiB less room for what a message puts around a base. */
export const LANE_FACET_MAX_BYTES = 1_048_576 - 1_024;

/** The lane's own view, folded by the same reducer as everywhere, with as much of its transcript as there is room for. */
export function createLaneFacet(options: LaneFacetOptions = {}): Facet<LaneView> {
  return {
    id: "lane",
    initial: copyLevels,
    reduce: foldLaneEvent,
    bound: { maxBytes: options.maxBytes ?? LANE_FACET_MAX_BYTES, trim: trimLaneView },
  };
}

/** {@link createLaneFacet} with its defaults. */
export const laneFacet: Facet<LaneView> = createLaneFacet();

/** Copies what trimming changes; the rest is copied when it is tracked. */
function copyLevels({ operation, ...view }: LaneView): LaneView {
  return {
    ...view,
    transcript: [...view.transcript],
    operation:
      operation === null
        ? null
        : {
            ...operation,
            ...(operation.message !== undefined && { message: { ...operation.message } }),
            tools: [...operation.tools],
          },
  };
}

/** Drops the oldest entries; where what runs is alone too large, withholds its largest parts too. */
function trimLaneView(view: LaneView, maxBytes: number): number {
  const operationBytes = jsonBytes({ ...view, transcript: [], earlier: Number.MAX_SAFE_INTEGER });
  let bytes = operationBytes;
  let kept = 0;
  for (const entry of [...view.transcript].reverse()) {
    const entryBytes = jsonBytes(entry) + 1;
    if (bytes + entryBytes > maxBytes) break;
    bytes += entryBytes;
    kept += 1;
  }

  const dropped = view.transcript.length - kept;
  if (dropped > 0) {
    view.transcript.splice(0, dropped);
    view.earlier = (view.earlier ?? 0) + dropped;
  }
  if (operationBytes > maxBytes && view.operation !== null) {
    bytes -= withholdLargest(view.operation, operationBytes - maxBytes);
  }
  return bytes;
}

interface OpenPart {
  readonly bytes: number;
  withhold(): void;
}

function withholdLargest(operation: LaneOperation, excessBytes: number): number {
  let saved = 0;
  for (const part of openParts(operation).sort((a, b) => b.bytes - a.bytes)) {
    if (saved >= excessBytes) break;
    part.withhold();
    saved += part.bytes;
  }
  return saved;
}

function openParts(operation: LaneOperation): OpenPart[] {
  const { message, tools } = operation;
  const parts: OpenPart[] = tools.map(({ args, changedArgs: _changed, output, ...rest }, index) => ({
    bytes: jsonBytes({ args, output }) - WITHHELD_BYTES,
    withhold: () => {
      tools[index] = { ...rest, args: null, withheld: true };
    },
  }));
  if (message?.state !== undefined) {
    parts.push({
      bytes: jsonBytes(message.state) - WITHHELD_BYTES,
      withhold: () => {
        message.withheld = true;
        delete message.state;
      },
    });
  }
  return parts.filter(({ bytes }) => bytes > 0);
}

/** What stands in the place of a withheld part. */
const WITHHELD_BYTES = jsonBytes({ args: null, withheld: true });
