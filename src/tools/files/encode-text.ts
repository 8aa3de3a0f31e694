import { MAX_FILE_BYTES } from "../../exec/index.js";
import { ToolError } from "../errors.js";

/** A text as the bytes of a file. `name` says in an error which text it was. @throws `invalid_text`, `text_too_large`. */
export function encodeText(name: string, text: string): Buffer {
  if (!text.isWellFormed()) {
    throw new ToolError("invalid_text", `${name} holds half of a surrogate pair, which no file in UTF-8 can hold`);
  }
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_FILE_BYTES) return bytes;
  throw new ToolError(
    "text_too_large",
    `${name} has ${bytes.length} bytes; at most ${MAX_FILE_BYTES} can be written at once. Have a command make the file`,
  );
}
