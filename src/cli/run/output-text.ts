import type { Batch, Json } from "../../delta/index.js";
import { jsonTextBytes } from "./json-bytes.js";

/** UTF-8 bytes, as JSON, of the text of outputs that a batch of the chat brings: no more than was sent. */
export function outputTextBytes(batch: Batch): number {
  let bytes = 0;
  for (const op of batch) {
    if (op[0] === "a" && isText(op[1])) bytes += jsonTextBytes(op[2]);
    else if (op[0] === "s") bytes += isText(op[1]) && typeof op[2] === "string" ? jsonTextBytes(op[2]) : textIn(op[2]);
    else if (op[0] === "r") bytes += textIn(op[1]);
    else if (op[0] === "p") for (const item of op[4]) bytes += textIn(item);
  }
  return bytes;
}

/** Whether a path of the chat leads to the text of a block of an output. */
function isText(path: readonly (string | number)[]): boolean {
  return path.at(-1) === "text" && path.at(-3) === "content" && path.at(-4) === "output";
}

function textIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textIn(item), 0);
  if (value["type"] === "text" && typeof value["text"] === "string") return jsonTextBytes(value["text"]);
  return Object.values(value).reduce<number>((sum, item) => sum + textIn(item), 0);
}
