import type { TextOutput } from "../terminal/text-output.js";
import { formatResult } from "./display.js";
import type { RunDisplay } from "./display.js";
import { printableText } from "../terminal/printable.js";

/** Nothing until the end, then the bounded result. */
export function createQuietDisplay(output: TextOutput): RunDisplay {
  return {
    show: () => undefined,
    finish(window) {
      const result = formatResult(window);
      output.write(output.isTerminal ? printableText(result) : result);
      return output.idle();
    },
    abandon: () => undefined,
  };
}
