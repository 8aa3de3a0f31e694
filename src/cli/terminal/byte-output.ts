import { printableText } from "./printable.js";
import { openTextOutput } from "./text-output.js";
import type { StandardStream, TextOutput } from "./text-output.js";

/** Standard output for bytes that a command wrote: as they are for a file or a program, printable for a terminal. */
export interface ByteOutput {
  /** Whether whoever reads it has gone; what is written then goes nowhere. */
  readonly isReaderGone: boolean;
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Writes what waits. @throws the failure of the stream, unless its reader has just gone. */
  end(): Promise<void>;
}

export function openByteOutput(stream: StandardStream): ByteOutput {
  const output = openTextOutput(stream);
  // A character may be split between two pieces.
  const decoder = new TextDecoder();
  const isReaderGone = (): boolean => output.failure?.code === "EPIPE";
  return {
    get isReaderGone() {
      return isReaderGone();
    },
    async write(bytes) {
      output.write(output.isTerminal ? printableText(decoder.decode(bytes, { stream: true })) : bytes);
      if (!output.hasRoom) await output.idle();
      throwFailure(output);
    },
    async end() {
      if (output.isTerminal) output.write(printableText(decoder.decode()));
      await output.idle();
      throwFailure(output);
    },
  };
}

function throwFailure({ failure }: TextOutput): void {
  if (failure !== undefined && failure.code !== "EPIPE") throw failure;
}
