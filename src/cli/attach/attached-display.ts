import { createBroadcast } from "../../facet/index.js";
import type { ChatState, FacetSubscription } from "../../facet/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { Change } from "../../wire/client/index.js";
import type { CliContext } from "../context.js";
import type { Shows } from "../options/shows.js";
import { openCallsDisplay } from "../output/calls/calls-display.js";
import type { CallsDisplay } from "../output/calls/contract.js";
import { lastShownCalls, shownCalls } from "../output/calls/shown-calls.js";
import { holdsNothing } from "../output/display.js";
import { JsonLines } from "../output/json-lines.js";
import { openWindow } from "../output/window.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";

/** How a session that another process runs is shown. */
export interface AttachedDisplay extends TerminalBorrower {
  show(change: Change<ChatState>): void;
  /** The connection was lost, or is there again. */
  lose(why: string): void;
  restore(): void;
  /** Says something between what is shown. */
  interject(text: string): void;
  /** Shows the last value and nothing after it. */
  finish(value: ChatState): Promise<void>;
  /** Gives the terminal back with a word, and nothing more of the value. */
  leave(text: string): Promise<void>;
  remark(text: string): Promise<void>;
}

export function openAttachedDisplay(session: SessionId, shows: Shows, context: CliContext): AttachedDisplay {
  const output = openTextOutput(context.stdout);
  return shows === "json" ? new JsonDisplay(session, output) : new TextDisplay(output, shows === "result", context);
}

class TextDisplay implements AttachedDisplay {
  readonly #calls: CallsDisplay;
  readonly #errors: TextOutput;
  readonly #isQuiet: boolean;
  #isLost = false;

  constructor(output: TextOutput, isQuiet: boolean, context: CliContext) {
    this.#calls = openCallsDisplay({ output, isQuiet, retain: "tail" }, context);
    this.#errors = openTextOutput(context.stderr);
    this.#isQuiet = isQuiet;
  }

  show({ value }: Change<ChatState>): void {
    this.#calls.show(shownCalls(value));
  }

  interject(text: string): void {
    this.#say(text);
  }

  lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#say(`the connection was lost (${why}); trying again`);
  }

  restore(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#say("connected again");
  }

  finish(value: ChatState): Promise<void> {
    return this.#calls.finish(lastShownCalls(value));
  }

  async leave(text: string): Promise<void> {
    this.abandon();
    await this.remark(text);
  }

  suspend(): void {
    this.#calls.suspend();
  }

  resume(): void {
    this.#calls.resume();
  }

  abandon(): void {
    this.#calls.abandon();
  }

  async remark(text: string): Promise<void> {
    if (!this.#isQuiet) this.#errors.write(`spillway: ${text}\n`);
    await this.#errors.idle();
  }

  #say(text: string): void {
    if (this.#isQuiet) return;
    // The region of a terminal would be torn by a line in between.
    this.suspend();
    this.#errors.write(`spillway: ${text}\n`);
    this.resume();
  }
}

/** The session's messages with numbers of this process's own, since it may connect many times. */
class JsonDisplay implements AttachedDisplay {
  readonly suspend = holdsNothing.suspend;
  readonly resume = holdsNothing.resume;
  readonly abandon = holdsNothing.abandon;
  readonly #output: TextOutput;
  readonly #lines: JsonLines;
  readonly #broadcast = createBroadcast(() => structuredClone(this.#value ?? {}));
  readonly #session: SessionId;
  #value: ChatState | undefined;
  #subscription: FacetSubscription | undefined;
  #isLost = false;

  constructor(session: SessionId, output: TextOutput) {
    this.#session = session;
    this.#output = output;
    this.#lines = new JsonLines(output, () => this.#subscription?.resync());
  }

  show({ value, batch }: Change<ChatState>): void {
    const isFirst = this.#value === undefined;
    this.#value = value;
    if (isFirst) this.#open(value);
    else this.#broadcast.send(batch);
  }

  lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#write({ type: "lost", reason: why });
  }

  restore(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#write({ type: "connected" });
  }

  /** Whoever reads lines of JSON is told by the batches. */
  interject(): void {
    return undefined;
  }

  async finish(value: ChatState): Promise<void> {
    if (this.#value === undefined) this.show({ value, seq: 0, batch: [["r", structuredClone(value) as never]] });
    await this.#lines.finish();
    this.#write({ type: "end", operation: value.operation });
    await this.#output.idle();
  }

  async leave(text: string): Promise<void> {
    await this.#lines.fail("left", text);
  }

  async remark(): Promise<void> {
    await this.#output.idle();
  }

  /** Who joins is given the value as it is. */
  #open(value: ChatState): void {
    this.#lines.open(this.#session, value.operation?.id ?? null);
    const window = openWindow(undefined, false);
    this.#subscription = this.#broadcast.subscribe({
      receive: ({ json }) => this.#lines.show(window, json),
      end: () => undefined,
    });
  }

  #write(line: object): void {
    this.#output.write(`${JSON.stringify(line)}\n`);
  }
}
