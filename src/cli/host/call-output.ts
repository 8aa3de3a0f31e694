import type { CallOutput } from "../../wire/index.js";
import { WireError } from "../../wire/index.js";
import type { OutputSource } from "../cat/output-source.js";
import type { StoredCall } from "../cat/stored-call.js";
import { isWhole, openWholeOutput } from "../cat/whole-output.js";
import { CliError } from "../failure.js";
import type { Places } from "../places.js";

/** The whole output of a call for whoever asks over the wire. */
export async function openCallOutput(places: Places, call: StoredCall): Promise<CallOutput> {
  const open = (): Promise<OutputSource> => openWholeOutput(places, call).catch(refuse);
  await using first = await open();
  return {
    bytes: first.length,
    complete: isWhole(call, first),
    async *read(start, end) {
      // Opened anew: between the head of an answer and its body a client may take its time, or go away.
      await using source = await open();
      let left = end - start;
      for await (const piece of source.pieces(start)) {
        yield piece.subarray(0, left);
        left -= piece.length;
        if (left <= 0) return;
      }
    },
  };
}

function refuse(error: unknown): never {
  if (error instanceof CliError && error.code === "spill_gone")
    throw new WireError("gone", error.message, { cause: error });
  throw error;
}
