import type { Path } from "../../delta/index.js";
import type { Json } from "../../protocol/index.js";
import { isJsonObject } from "./visible-ops.js";
import type { Visible } from "./visible-ops.js";

/** Of an assistant's message: all but what its calls are given, which stands in their own rows, and what is for the provider. */
export const visibleMessage: Visible = {
  value(path, value) {
    if (path.length === 0) return showMessage(value);
    return path[0] === "content" ? showContent(path, value) : value;
  },
};

function showMessage(message: Json): Json {
  return isJsonObject(message) ? { ...message, content: showParts(message["content"]) } : message;
}

function showContent(path: Path, value: Json): Json | undefined {
  if (path.length === 1) return showParts(value);
  if (path.length === 2) return showPart(value);
  if (path[2] === "args" || path[2] === "providerData") return undefined;
  return path[2] === "input" ? "" : value;
}

function showParts(content: Json | undefined): Json {
  return Array.isArray(content) ? content.map(showPart) : (content ?? []);
}

function showPart(part: Json): Json {
  if (!isJsonObject(part)) return part;
  const { args: _args, providerData: _providerData, ...shown } = part;
  return part["type"] === "toolCall" ? { ...shown, input: "" } : shown;
}
