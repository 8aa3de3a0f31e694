import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../../protocol/index.js";

/** A result as text for who reads, and as fields for who computes; each has all there is to say. */
export function makeResult(
  blocks: readonly string[],
  fields: { readonly [field: string]: unknown },
  options: { readonly isError?: boolean; readonly images?: CallToolResult["content"] } = {},
): CallToolResult {
  const { isError = false, images = [] } = options;
  const texts = blocks.filter((text) => text !== "").map((text) => ({ type: "text" as const, text }));
  return { content: [...texts, ...images], structuredContent: fields, ...(isError && { isError }) };
}

/** What went wrong without a call to tell of it. */
export function makeFailure(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "internal";
  return { content: [{ type: "text", text: `${code}: ${message}` }], isError: true };
}

export interface EntryTexts {
  readonly text: string;
  readonly notice: string;
  readonly images: CallToolResult["content"];
}

export function textsOf({ output }: ToolEntry): EntryTexts {
  const texts = output.content.filter((block) => block.type === "text");
  return {
    text: texts
      .filter(({ notice }) => notice !== true)
      .map(({ text }) => text)
      .join("\n"),
    notice: texts.find(({ notice }) => notice === true)?.text ?? "",
    images: output.content.flatMap((block) =>
      block.type === "image" ? [{ type: "image" as const, data: block.data, mimeType: block.mediaType }] : [],
    ),
  };
}
