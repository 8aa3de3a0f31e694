import type { ModelAnswer } from "../../../src/testing/index.js";

/** The events of one answer, each as it stands in the stream. */
export type Dialect = (answer: ModelAnswer, pieceLength: number) => readonly string[];

/** Cuts text as providers do: anywhere between two code units, also in the middle of a character. */
export function pieces(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );
}

export function namedEvent(data: { readonly type: string; readonly [key: string]: unknown }): string {
  return `event: ${data.type}\n${dataEvent(data)}`;
}

export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

export function hasCalls({ parts }: ModelAnswer): boolean {
  return parts.some(({ type }) => type === "toolCall");
}

export const NO_USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 } as const;
