import type { IncomingMessage } from "node:http";
import { WireError } from "./errors.js";
import { bodyTooLarge, MAX_BODY_BYTES } from "./guard.js";

/** The JSON object that is a request's body; an empty body is an empty object. */
export async function readJsonBody(
  incoming: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<{ readonly [key: string]: unknown }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw bodyTooLarge(maxBytes);
    pieces.push(piece);
  }
  return parseObject(Buffer.concat(pieces).toString("utf8"));
}

function parseObject(text: string): { readonly [key: string]: unknown } {
  if (text.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new WireError("invalid_request", "the body is not JSON", { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new WireError("invalid_request", "the body must be a JSON object");
}
