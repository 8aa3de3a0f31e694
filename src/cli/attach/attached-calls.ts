import type { ChatState } from "../../facet/index.js";
import type { Change } from "../../wire/client/index.js";
import type { CliContext } from "../context.js";
import { openCallsDisplay } from "../output/calls/calls-display.js";
import type { CallsDisplay } from "../output/calls/contract.js";
import { lastShownCalls, shownCalls } from "../output/calls/shown-calls.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";
import type { AttachedDisplay } from "./attached-display.js";

/** The calls of a session, as `run` shows its one. */
export class AttachedCalls implements AttachedDisplay {
  readonly #calls: CallsDisplay;
  readonly #errors: TextOutput;
  readonly #isQuiet: boolean;
  #isLost = false;

  constructor(isQuiet: boolean, context: CliContext) {
    const output = openTextOutput(context.stdout);
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
