export { foldOps } from "./fold-ops.js";
export { foldLaneEvent, reduceLaneSnapshot } from "./reduce.js";
export { emptyLaneView } from "./view.js";
export type { LaneMessage, LaneOperation, LaneTool, LaneView } from "./view.js";
