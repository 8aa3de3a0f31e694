import { fstatSync } from "node:fs";
import type { CliContext } from "../context.js";
import { CliError } from "../failure.js";

/** Most bytes of standard input that join a prompt. */
export const MAX_INPUT_BYTES = 262_144;
const PATIENCE_MS = 3_000;

/** The prompt with the text of standard input, where that is a pipe or a file. Undefined where neither says anything. */
export async function readPrompt(prompt: string | undefined, context: CliContext): Promise<string | undefined> {
  const text = await readInput(context);
  const parts = [prompt, text].filter((part) => part !== undefined && part.trim() !== "");
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

async function readInput({ signals, stderr, clock }: CliContext): Promise<string | undefined> {
  const { stdin } = signals;
  if (stdin === undefined || stdin.isTTY || !isData(stdin.fd)) return undefined;
  const impatience = clock.after(PATIENCE_MS, () =>
    stderr.write("spillway: standard input is read to its end first; give </dev/null to go on without it\n"),
  );
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      impatience.cancel();
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_INPUT_BYTES) throw tooLarge();
    }
  } finally {
    impatience.cancel();
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A pipe, a socket or a file; not what merely stands for nothing, and not what is closed. */
function isData(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isFile() || found.isSocket();
  } catch {
    return false;
  }
}

function tooLarge(): CliError {
  return new CliError(
    "bad_usage",
    `standard input has more than ${MAX_INPUT_BYTES} bytes, which is too much for a prompt; put it into a file and name that`,
  );
}
