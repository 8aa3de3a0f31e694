import type { CallOutput } from "../../wire/index.js";
import { WireError } from "../../wire/index.js";
import { describeLostOutput } from "../cat/lost-output.js";
import { openSpill, readingText } from "../cat/spill.js";
import type { StoredCall } from "../cat/stored-call.js";
import type { Places } from "../places.js";

/** The whole output of a call for whoever asks over the wire: from its spill, or as the text that its session holds. */
export async function openCallOutput(places: Places, call: StoredCall): Promise<CallOutput> {
  const { window } = call;
  const file = await openSpill(places, call);
  if (file === undefined && window.truncated && call.spillPath !== undefined) {
    throw new WireError("gone", await describeLostOutput(call.spillPath));
  }
  const length = file?.length ?? readingText(textOf(call)).length;
  await file?.[Symbol.asyncDispose]();
  return {
    bytes: length,
    complete:
      window.settled &&
      call.stopped !== "interrupted" &&
      (file === undefined ? !window.truncated : length >= window.totalBytes),
    async *read(start, end) {
      // Opened anew: between the head of an answer and its body a client may take its time, or go away.
      await using source = (await openSpill(places, call)) ?? readingText(textOf(call));
      let left = end - start;
      for await (const piece of source.pieces(start)) {
        yield piece.subarray(0, left);
        left -= piece.length;
        if (left <= 0) return;
      }
    },
  };
}

function textOf({ window }: StoredCall): string {
  return window.text + (window.progress ?? "");
}
