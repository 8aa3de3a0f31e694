export { isBase, MAX_DEPTH, MAX_PATH_IDS, MAX_PATH_SEGMENTS } from "./op.js";
export type { Batch, Json, Op, Path, PathRef, Segment, WireBatch, WireOp } from "./op.js";
export type { Decoder, Encoder, Tracker } from "./contract.js";
