import type { Retain } from "../../exec/index.js";
import type { CliContext } from "../context.js";
import { coloursFor } from "../terminal/colours.js";
import type { TextOutput } from "../terminal/text-output.js";
import type { RunDisplay } from "./display.js";
import { createLiveDisplay } from "./live.js";
import { createPlainDisplay } from "./plain.js";
import { createQuietDisplay } from "./quiet.js";

export interface TextDisplayOptions {
  readonly output: TextOutput;
  readonly isQuiet: boolean;
  readonly retain: Retain;
}

/** The display of one call as text: live on a terminal that can be drawn on, as it comes elsewhere. */
export function chooseTextDisplay({ output, isQuiet, retain }: TextDisplayOptions, context: CliContext): RunDisplay {
  const { clock, environment } = context;
  if (isQuiet) return createQuietDisplay(output);
  if (!output.isTerminal || environment["TERM"] === "dumb") return createPlainDisplay(output, retain);
  return createLiveDisplay({ output, retain, clock, colours: coloursFor(output, environment) });
}
