import { printableText } from "../terminal/printable.js";
import type { TextOutput } from "../terminal/text-output.js";
import { formatResult, holdsNothing } from "./display.js";
import type { RunDisplay } from "./display.js";

/** Nothing until the end, then the bounded result. */
export function createQuietDisplay(output: TextOutput): RunDisplay {
  return {
    ...holdsNothing,
    show: () => undefined,
    finish(window) {
      const result = formatResult(window);
      output.write(output.isTerminal ? printableText(result) : result);
      return output.idle();
    },
  };
}
