export { emptyLaneView } from "./view.js";
export type { LaneMessage, LaneOperation, LaneTool, LaneView } from "./view.js";
