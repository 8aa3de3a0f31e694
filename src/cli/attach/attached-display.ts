import { createBroadcast } from "../../facet/index.js";
import type { ChatState, ChatToolRow, FacetSubscription } from "../../facet/index.js";
import type { SessionId } from "../../protocol/index.js";
import type { Change } from "../../wire/client/index.js";
import type { CliContext } from "../context.js";
import type { Shows } from "../options/shows.js";
import { chooseTextDisplay } from "../output/choose-display.js";
import { holdsNothing } from "../output/display.js";
import type { RunDisplay } from "../output/display.js";
import { JsonLines } from "../output/json-lines.js";
import { openWindow } from "../output/window.js";
import type { OutputWindow } from "../output/window.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";

/** How a session that another process runs is shown. */
export interface AttachedDisplay extends TerminalBorrower {
  show(change: Change<ChatState>): void;
  /** The connection was lost, or is there again. */
  lose(why: string): void;
  restore(): void;
  /** Says something between what is shown, after what has ended by now. */
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
  readonly #output: TextOutput;
  readonly #errors: TextOutput;
  readonly #context: CliContext;
  readonly #isQuiet: boolean;
  #display: RunDisplay | undefined;
  /** The call that the display shows. */
  #call: string | undefined;
  #window: OutputWindow | undefined;
  /** One display after the other, each to its end. */
  #finished: Promise<void> = Promise.resolve();
  #isLost = false;

  constructor(output: TextOutput, isQuiet: boolean, context: CliContext) {
    this.#output = output;
    this.#errors = openTextOutput(context.stderr);
    this.#isQuiet = isQuiet;
    this.#context = context;
  }

  show({ value }: Change<ChatState>): void {
    const call = lastCall(value);
    if (call === undefined) return;
    if (call.toolCallId !== this.#call) this.#turnTo(call.toolCallId);
    this.#window = openWindow(call.output, call.state !== "running");
    this.#display?.show(this.#window, "");
    if (call.position !== undefined && hasWaiting(value)) this.#end(this.#window);
  }

  interject(text: string): void {
    this.#finished.then(() => this.#say(text)).catch(() => undefined);
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

  async finish(value: ChatState): Promise<void> {
    const call = lastCall(value);
    if (call !== undefined && call.toolCallId !== this.#call) this.#turnTo(call.toolCallId);
    await this.#finished;
    if (call === undefined) return;
    await this.#display?.finish(openWindow(call.output, call.state !== "running"));
    this.#display = undefined;
  }

  async leave(text: string): Promise<void> {
    this.abandon();
    await this.remark(text);
  }

  suspend(): void {
    this.#display?.suspend();
  }

  resume(): void {
    this.#display?.resume();
  }

  abandon(): void {
    this.#display?.abandon();
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

  /** While a person is asked, what has ended stands above the question. */
  #end(window: OutputWindow): void {
    const display = this.#display;
    this.#display = undefined;
    if (display !== undefined) this.#finished = display.finish(window);
  }

  #turnTo(call: string): void {
    const [before, window] = [this.#display, this.#window];
    if (before !== undefined && window !== undefined) this.#finished = before.finish({ ...window, settled: true });
    this.#call = call;
    const options = { output: this.#output, isQuiet: this.#isQuiet, retain: "tail" } as const;
    this.#display = chooseTextDisplay(options, this.#context);
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

/** The call that a person wants to see: the last one that began. One that waits has nothing to show. */
function lastCall({ rows }: ChatState): ChatToolRow | undefined {
  return rows.filter((row) => row.type === "tool").findLast(({ state }) => state !== "waiting");
}

function hasWaiting({ rows }: ChatState): boolean {
  return rows.some((row) => row.type === "tool" && row.state === "waiting");
}
