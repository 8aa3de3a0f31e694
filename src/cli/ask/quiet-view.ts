import { holdsNothing } from "../output/display.js";
import { endLine } from "../output/end-line.js";
import { printableText } from "../terminal/printable.js";
import type { TextOutput } from "../terminal/text-output.js";
import type { ConversationView } from "./view.js";

/** Nothing until the end, then the last answer; why there is none is all that is said besides. */
export function createQuietView(output: TextOutput, errors: TextOutput): ConversationView {
  return {
    ...holdsNothing,
    show: () => undefined,
    remark: () => undefined,
    async settle({ text, status, reason }) {
      output.write(endLine(output.isTerminal ? printableText(text) : text));
      if (status !== "completed") errors.write(`spillway: ${printableText(reason ?? `the answer is ${status}`)}\n`);
      await output.idle();
      await errors.idle();
    },
    close: () => output.idle(),
  };
}
