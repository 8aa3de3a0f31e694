import { CliError } from "../failure.js";
import type { Places } from "../places.js";
import { describeLostOutput } from "./lost-output.js";
import { openSpill } from "./spill.js";
import { readingText } from "./output-source.js";
import type { OutputSource } from "./output-source.js";
import type { StoredCall } from "./stored-call.js";

/**
 * All that was kept of a call's output: its spill, or the text that its session holds where that was not cut.
 *
 * @throws {CliError} `spill_gone`
 */
export async function openWholeOutput(places: Places, call: StoredCall): Promise<OutputSource> {
  const spill = await openSpill(places, call);
  if (spill !== undefined) return spill;
  const { window, spillPath } = call;
  if (!window.truncated || spillPath === undefined) return readingText(window.text + (window.progress ?? ""));
  throw new CliError("spill_gone", `${await describeLostOutput(spillPath)}; spillway show has what the window kept`);
}

/** Whether what was kept is all that the call ever gave. */
export function isWhole({ window, stopped }: StoredCall, { origin, length }: OutputSource): boolean {
  if (!window.settled || stopped === "interrupted") return false;
  if (origin === "session") return !window.truncated;
  const { bytes, complete } = window.spill ?? { bytes: window.totalBytes, complete: true };
  return complete && length >= bytes;
}
