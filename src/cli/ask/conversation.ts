import type { ChatState } from "../../facet/index.js";
import { HarnessError } from "../../harness/index.js";
import type { OperationResult } from "../../harness/index.js";
import type { OperationId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { describeFailure } from "../failure.js";
import { EXIT_NOT_COMPLETED, EXIT_OK, exitCodeOfSignal } from "../exit-codes.js";
import { judgeOutcome } from "../run/outcome.js";
import { listenForStops } from "../run/stops.js";
import type { Stops } from "../run/stops.js";
import { listenForInterrupts } from "../signals/interrupts.js";
import type { InterruptSignal } from "../signals/interrupts.js";
import { lendTerminal } from "../signals/lent-terminal.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";
import type { WorkSession } from "../session/work-session.js";
import type { TextOutput } from "../terminal/text-output.js";
import { describeUnclear, readDecision } from "./decision.js";
import { Questions } from "./questions.js";
import type { TypedLines } from "./typed-lines.js";
import type { ConversationView } from "./view.js";

export interface ConversationOptions {
  readonly session: WorkSession;
  readonly view: ConversationView;
  readonly output: TextOutput;
  /** Where a person types; absent where nobody is there to be asked. */
  readonly typed: TypedLines | undefined;
  /** Whether calls go on without this process. */
  readonly isOutliving: boolean;
}

/** An operation that is under way. */
export interface Begun {
  readonly id: OperationId;
  readonly settled: Promise<Ended>;
}

type Ended = Pick<OperationResult, "operationId" | "status" | "reason"> & Partial<Pick<OperationResult, "usage">>;

/** A prompt, Ctrl-D, or the code of a signal. */
type Next = { readonly text: string } | "end" | number;

const NOBODY = "Nobody is there to be asked. Say what should be run, and why.";

/** A session's chat between its model and whoever is at the terminal: prompts, decisions, what is said meanwhile, stops. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #context: CliContext;
  readonly #borrower: TerminalBorrower;
  readonly #questions = new Questions();
  /** What was said here while an operation ran. */
  readonly #steered = new Set<string>();
  #state: ChatState | undefined;
  #stops: Stops | undefined;
  /** Whether this process was told to end, or nobody reads what it says. */
  #isOver = false;
  /** Takes what comes next; absent where nothing is waited for. */
  #next: ((next: Next) => void) | undefined;

  constructor(options: ConversationOptions, context: CliContext) {
    this.#options = options;
    this.#context = context;
    const { view, typed } = options;
    this.#borrower = {
      suspend: () => (view.suspend(), typed?.suspend()),
      resume: () => (typed?.resume(), view.resume()),
      abandon: () => (view.abandon(), typed?.close()),
    };
    typed?.listen({
      line: (text) => void this.#take(text),
      end: () => {
        if (!this.#isBusy) this.#next?.("end");
      },
      change: () => view.draw?.(),
    });
  }

  /** To be called after each change of the session's chat. */
  follow(state: ChatState, json: string): void {
    this.#state = state;
    this.#options.view.show(state, json);
    if (this.#options.typed === undefined) this.#denyWaiting();
  }

  /** Sees an operation to its end, and gives the exit code. Whoever sees it can stop it. */
  async see(begin: () => Promise<Begun>): Promise<number> {
    const { session, view, output, isOutliving } = this.#options;
    const { clock } = this.#context;
    const startedAt = clock.monotonic();
    const operation = { abort: (reason?: string) => void session.lane.abort(reason) };
    const stops = listenForStops({ operation, session, output, display: this.#borrower, isOutliving }, this.#context);
    this.#stops = stops;
    try {
      const { id, settled } = await begin();
      // What came before there was anything to stop.
      if (stops.cause !== undefined) operation.abort();
      const { status, reason, usage = {} } = await settled;
      const durationMs = clock.monotonic() - startedAt;
      const text = this.#lastAnswer(id);
      await view.settle({ session: session.id, operationId: id, status, usage, text, durationMs, reason });
      if (stops.cause !== undefined) {
        // Only Ctrl-C is meant for what runs alone.
        this.#isOver = stops.cause.kind === "output" || stops.cause.signal !== "SIGINT";
        const outcome = judgeOutcome({ stopped: stops.cause, execution: undefined, operation: { status } });
        if (outcome.failure !== undefined) view.remark(outcome.failure.message);
        await this.#takeBack();
        return outcome.exitCode;
      }
      return status === "completed" ? EXIT_OK : EXIT_NOT_COMPLETED;
    } finally {
      this.#stops = undefined;
      stops.release();
    }
  }

  /** Takes one prompt after the other until Ctrl-D, and gives the exit code. */
  async goOn(): Promise<number> {
    for (let exitCode = EXIT_OK; ;) {
      const next = await this.#waitForPrompt();
      if (next === "end") return exitCode;
      if (typeof next === "number") return next;
      try {
        exitCode = await this.see(() => this.#options.session.lane.prompt(next.text));
      } catch (error) {
        this.#options.view.remark(describeFailure(error).message);
      }
      if (this.#isOver) return exitCode;
    }
  }

  /** Gives the terminal back. */
  async close(): Promise<void> {
    const { view, typed } = this.#options;
    await view.close();
    typed?.close();
  }

  get #isBusy(): boolean {
    return this.#stops !== undefined || this.#state?.operation?.state === "running";
  }

  async #waitForPrompt(): Promise<Next> {
    const { signals, clock, exit } = this.#context;
    const endings = [lendTerminal(signals, this.#borrower)];
    try {
      return await new Promise((resolve) => {
        this.#next = resolve;
        const stop = (signal: InterruptSignal): void => {
          // Somebody else may have begun something meanwhile.
          if (!this.#options.session.lane.abort()) resolve(exitCodeOfSignal(signal));
        };
        const leave = (signal: InterruptSignal): never => {
          this.#borrower.abandon();
          return exit(exitCodeOfSignal(signal));
        };
        endings.push(listenForInterrupts(signals, clock, { stop, leave }));
      });
    } finally {
      this.#next = undefined;
      endings.forEach((end) => end());
    }
  }

  /** What a line means depends on what goes on: a decision, a word to the model, or a prompt. */
  async #take(text: string): Promise<void> {
    const { session, view, typed } = this.#options;
    const { lane } = session;
    const [asked] = this.#questions.open(this.#state);
    try {
      if (asked !== undefined) {
        const decision = readDecision(text);
        if (decision !== undefined) {
          this.#questions.decide(asked.toolCallId);
          return await lane.approve(asked.toolCallId, decision);
        }
        view.remark(describeUnclear(asked.toolName));
        typed?.editor?.restore(text);
      } else if (this.#isBusy || this.#next === undefined) this.#steered.add((await lane.steer(text)).id);
      else {
        this.#next({ text });
        this.#next = undefined;
      }
    } catch (error) {
      const isLate = error instanceof HarnessError && error.code === "lane_idle";
      view.remark(isLate ? "nothing runs that could hear this" : describeFailure(error).message);
      typed?.editor?.restore(text);
    }
  }

  /** What was said here and never heard is the person's again, and does not join behind what they say next. */
  async #takeBack(): Promise<void> {
    const { session, view, typed } = this.#options;
    const unheard = (session.lane.view().queue ?? []).filter(({ id }) => this.#steered.has(id));
    const texts: string[] = [];
    for (const { id, text } of unheard) if (await session.lane.withdraw(id)) texts.push(text);
    this.#steered.clear();
    if (texts.length === 0) return;
    view.remark(`the model was not told: ${texts.join("\n")}`);
    typed?.editor?.restore(texts.join("\n"));
  }

  #denyWaiting(): void {
    for (const { toolCallId } of this.#questions.open(this.#state)) {
      this.#questions.decide(toolCallId);
      // Somebody else, who watches, may have decided before.
      this.#options.session.lane.approve(toolCallId, { decision: "deny", reason: NOBODY }).catch(() => undefined);
    }
  }

  #lastAnswer(id: OperationId): string {
    const { transcript } = this.#options.session.lane.view();
    for (const entry of transcript.toReversed()) {
      if (entry.type !== "assistant" || entry.operationId !== id) continue;
      const texts = entry.message.content.flatMap((part) => (part.type === "text" ? part.text : []));
      if (texts.length > 0) return texts.join("");
    }
    return "";
  }
}
