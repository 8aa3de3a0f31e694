import type { CliContext } from "../../context.js";
import { coloursFor } from "../../terminal/colours.js";
import type { TextDisplayOptions } from "../choose-display.js";
import { createPlainDisplay } from "../plain.js";
import { createQuietDisplay } from "../quiet.js";
import { createCallsInTurn, headTurns } from "./calls-in-turn.js";
import type { CallsDisplay, ShownCall } from "./contract.js";
import { createLiveCalls } from "./live-calls.js";

/** The display of calls as text: the newest one live and a row for each other on a terminal, line by line elsewhere. */
export function openCallsDisplay(options: TextDisplayOptions, context: CliContext): CallsDisplay {
  return new FollowedCalls(chooseDisplay(options, context), options.output);
}

function chooseDisplay({ output, isQuiet, retain }: TextDisplayOptions, context: CliContext): CallsDisplay {
  const { clock, environment } = context;
  if (isQuiet) return createCallsInTurn(() => createQuietDisplay(output));
  if (!output.isTerminal || environment["TERM"] === "dumb") {
    const turns = headTurns(output);
    return createCallsInTurn((call, isOneOfMany) => createPlainDisplay(turns(call, isOneOfMany), retain));
  }
  return createLiveCalls({ output, retain, clock, colours: coloursFor(output, environment) });
}

/** Tells a display of the calls that are followed, each until it has settled, and of the newest state when its reader is behind. */
class FollowedCalls implements CallsDisplay {
  readonly #display: CallsDisplay;
  readonly #output: TextDisplayOptions["output"];
  /** Settled ones that were shown or are not to be, as far as they are still told of; undefined before the first. */
  #past: ReadonlySet<string> | undefined;
  #waiting: readonly ShownCall[] | undefined;
  #isOver = false;

  constructor(display: CallsDisplay, output: TextDisplayOptions["output"]) {
    this.#display = display;
    this.#output = output;
  }

  show(calls: readonly ShownCall[]): void {
    const isWaiting = this.#waiting !== undefined;
    this.#waiting = calls;
    if (isWaiting) return;
    if (this.#output.hasRoom) this.#showWaiting();
    else void this.#output.idle().then(() => this.#showWaiting());
  }

  async finish(calls: readonly ShownCall[]): Promise<void> {
    this.#isOver = true;
    await this.#output.idle();
    await this.#display.finish(this.#follow(calls));
  }

  suspend(): void {
    this.#display.suspend();
  }

  resume(): void {
    this.#display.resume();
  }

  abandon(): void {
    this.#isOver = true;
    this.#display.abandon();
  }

  #showWaiting(): void {
    const calls = this.#waiting ?? [];
    this.#waiting = undefined;
    if (!this.#isOver) this.#display.show(this.#follow(calls));
  }

  /** Of what had settled before anything was shown, the last call is, where none runs. */
  #follow(calls: readonly ShownCall[]): readonly ShownCall[] {
    const settled = calls.filter(({ window }) => window.settled);
    const unwanted = settled.length < calls.length ? settled : settled.slice(0, -1);
    const past = this.#past ?? new Set(unwanted.map(({ id }) => id));
    this.#past = new Set(settled.map(({ id }) => id));
    return calls.filter(({ id }) => !past.has(id));
  }
}
