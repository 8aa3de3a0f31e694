import type { Path } from "../../delta/index.js";
import type { Json } from "../../protocol/index.js";
import { isJsonObject } from "./visible-ops.js";
import type { Visible } from "./visible-ops.js";

/** Of a tool's output: all but the bytes of images, and of the details the spill alone. */
export const visibleOutput: Visible = {
  value(path, value) {
    if (path.length === 0) return showOutput(value);
    if (path[0] === "details") return showDetails(path, value);
    if (path[0] === "content") return showContent(path, value);
    return value;
  },
};

function showOutput(output: Json): Json {
  if (!isJsonObject(output)) return output;
  return { ...output, content: showBlocks(output["content"]), details: spillAlone(output["details"]) };
}

function showDetails(path: Path, value: Json): Json | undefined {
  if (path.length === 1) return spillAlone(value);
  return path.length === 2 && path[1] === "spillPath" ? value : undefined;
}

function spillAlone(details: Json | undefined): Json {
  return isJsonObject(details) && typeof details["spillPath"] === "string" ? { spillPath: details["spillPath"] } : {};
}

function showContent(path: Path, value: Json): Json {
  if (path.length === 1) return showBlocks(value);
  if (path.length === 2) return showBlock(value);
  return path[2] === "data" ? "" : value;
}

function showBlocks(content: Json | undefined): Json {
  return Array.isArray(content) ? content.map(showBlock) : (content ?? []);
}

function showBlock(block: Json): Json {
  return isJsonObject(block) && "data" in block ? { ...block, data: "" } : block;
}
