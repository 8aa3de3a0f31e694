import { holdsNothing } from "../display.js";
import type { RunDisplay } from "../display.js";
import type { PlainOutput } from "../plain.js";
import { formatHeading } from "./contract.js";
import type { CallsDisplay, ShownCall } from "./contract.js";

/** Makes the display of one call; `isOneOfMany` where others run as it begins to be shown. */
export type OpenCall = (call: ShownCall, isOneOfMany: boolean) => RunDisplay;

/** Each call by a display of its own, which writes when it has something. */
export function createCallsInTurn(open: OpenCall): CallsDisplay {
  const displays = new Map<string, RunDisplay>();
  let finished: Promise<unknown> = Promise.resolve();
  return { ...holdsNothing, show, finish };

  function show(calls: readonly ShownCall[]): void {
    for (const call of calls) {
      const display = openDisplay(call, calls.length > 1);
      if (call.window.settled) end(call, display);
      else display.show(call.window, "");
    }
  }

  async function finish(calls: readonly ShownCall[]): Promise<void> {
    for (const call of calls) end(call, openDisplay(call, calls.length > 1));
    await finished;
  }

  function openDisplay(call: ShownCall, isOneOfMany: boolean): RunDisplay {
    const display = displays.get(call.id) ?? open(call, isOneOfMany);
    displays.set(call.id, display);
    return display;
  }

  function end(call: ShownCall, display: RunDisplay): void {
    displays.delete(call.id);
    finished = Promise.all([finished, display.finish(call.window)]);
  }
}

/** One output for many calls: whenever another one writes, a heading says which. */
export function headTurns(output: PlainOutput): (call: ShownCall, isOneOfMany: boolean) => PlainOutput {
  let last: string | undefined;
  return (call, isOneOfMany) => ({
    isTerminal: output.isTerminal,
    get hasRoom() {
      return output.hasRoom;
    },
    idle: () => output.idle(),
    write(text) {
      if (text.length === 0) return;
      const isTurn = last === undefined ? isOneOfMany : last !== call.id;
      last = call.id;
      if (isTurn) output.write(formatHeading(call));
      output.write(text);
    },
  });
}
