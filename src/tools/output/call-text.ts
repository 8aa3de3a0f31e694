import { describe } from "../../exec/index.js";
import type { ShellOutputMetadata, SpillReport } from "../../exec/index.js";
import type { CapturedUpdate, CaptureEnd, OutputLimits } from "../contract.js";
import { ToolError } from "../errors.js";
import { describeShown } from "./notice-line.js";
import type { Spill } from "./notice-line.js";
import type { OutputNotice } from "./notice.js";
import type { OutputTotals } from "./totals.js";
import { makeWellFormed, PiecewiseText } from "./well-formed.js";
import type { OutputWindow } from "./window.js";

/** The capture of a tool that states totals by itself, without a bound env. */
const OWN_CAPTURE = -1;

export interface CallTextParts {
  readonly window: OutputWindow;
  readonly totals: OutputTotals;
  readonly notice: OutputNotice;
  readonly limits: OutputLimits;
  /** Where an interrupted call's output was being saved. */
  readonly spillPath: string | undefined;
}

/**
 * Decides what becomes of a text that a tool gives: it is an env's, whose totals the env knows; or the tool's own, which
 * is counted here; or, once every capture has settled, something said about the output.
 */
export class CallText {
  readonly #parts: CallTextParts;
  readonly #open = new Set<number>();
  /** The env's update that the tool is being told of. */
  #update: CapturedUpdate | undefined;
  /** What that update says of the text, until the tool has taken it over. */
  #statement: CapturedUpdate["slide"];
  #isLate = false;
  /** What the tool may say at the end and the sink says better. */
  readonly #footers: string[] = [];
  #spill: Spill | undefined;
  #pieces = new PiecewiseText();

  constructor(parts: CallTextParts) {
    this.#parts = parts;
    this.#noteSpill(parts.spillPath);
  }

  /** Whether the tool is being told of an env's update, whose flush follows. */
  get isInUpdate(): boolean {
    return this.#update !== undefined;
  }

  /** What the last spill came to hold, once its execution has ended. */
  get spill(): SpillReport | undefined {
    return this.#spill !== undefined && "complete" in this.#spill ? this.#spill : undefined;
  }

  write(text: string): void {
    this.slide(0, text);
  }

  slide(drop: number, text: string): void {
    checkText(text);
    if (this.#isLate) return this.#say(text);
    const { window, totals } = this.#parts;
    const block = this.#update?.slide?.block;
    if (drop !== 0) {
      if (this.#isOwn && !window.canDrop) throw refuseDrop(window.retain);
      // Apart from the text, so that a drop that is refused has changed nothing.
      window.slide(drop, "", block);
      if (this.#isOwn) totals.drop();
    }
    const whole = this.#pieces.next(text);
    window.slide(0, whole, block);
    if (this.#isOwn) totals.add(whole);
    this.#statement = undefined;
  }

  replace(text: string): void {
    checkText(text);
    const whole = makeWellFormed(text);
    this.#pieces = new PiecewiseText();
    const { window, totals, limits } = this.#parts;
    if (this.#isLate && whole === window.read(0)) return;
    if (this.#takeStatement(whole)) return;
    this.#isLate = false;
    if (this.#isOwn) {
      window.retain = limits.retain;
      window.replace(whole);
    } else window.replaceBounded(whole, this.#update?.tail);
    totals.restate(whole, this.#open);
  }

  /** What the tool itself knows from an env that is not bound to the call. */
  capture({ truncation, spillPath }: ShellOutputMetadata): void {
    const { totals, window } = this.#parts;
    const capture = this.#update?.capture ?? [...this.#open].at(-1) ?? OWN_CAPTURE;
    if (capture === OWN_CAPTURE) totals.restate("", this.#open.add(OWN_CAPTURE));
    totals.state(capture, truncation, () => window.isOpen);
    this.#noteSpill(spillPath);
  }

  captured(update: CapturedUpdate): void {
    const { totals, window, limits } = this.#parts;
    const { capture = 0, metadata, retain = limits.retain } = update;
    this.#open.add(capture);
    this.#isLate = false;
    window.retain = retain;
    window.followEnv();
    totals.state(capture, metadata.truncation, () => window.isOpen);
    this.#noteSpill(metadata.spillPath);
    this.#update = update;
    this.#statement = update.slide;
  }

  endUpdate(): void {
    this.#update = undefined;
    this.#statement = undefined;
  }

  captureSettled({ capture = 0, metadata, spill, remarks }: CaptureEnd): void {
    const { totals, window, notice } = this.#parts;
    totals.state(capture, metadata.truncation, () => window.isOpen);
    this.#noteSpill(metadata.spillPath);
    this.#spill = spill ?? this.#spill;
    this.#open.delete(capture);
    this.#isLate = this.#open.size === 0;
    if (metadata.truncation.truncated) this.#footers.push(`[${describe(metadata.truncation)}]`);
    for (const remark of remarks) notice.remark(remark);
  }

  /** Ends the text with what an execution that is still open had not ended its line with. */
  settle(progress: string): void {
    const { window, totals } = this.#parts;
    const rest = this.#pieces.end();
    if (this.#isOwn) totals.add(rest);
    window.slide(0, rest + makeWellFormed(progress));
  }

  /** The line that says what is shown; after {@link settle}. */
  describeShown(): string | undefined {
    const { window, totals } = this.#parts;
    const { cut, retain } = window;
    return describeShown({ truncation: totals.compute(cut), retain, blocks: window.measure(), spill: this.#spill });
  }

  /** Whether the tool stated just what the env had: then it is the env's edit, which costs what it changed. */
  #takeStatement(whole: string): boolean {
    const statement = this.#statement;
    if (statement === undefined) return false;
    const { window } = this.#parts;
    const { drop, text, block = 0 } = statement;
    const old = window.read(0);
    const isSame = block === 1 ? whole === old : isSlid(old, drop, text, whole);
    if (!isSame) return false;
    window.slide(drop, text, block);
    this.#statement = undefined;
    return true;
  }

  /** Whether no env knows of the text, so that it is counted here. */
  get #isOwn(): boolean {
    return this.#open.size === 0;
  }

  #say(text: string): void {
    const said = this.#footers.reduce((rest, footer) => rest.replaceAll(footer, () => ""), text);
    if (said === text || said.trim() !== "") this.#parts.notice.say(said);
  }

  #noteSpill(path: string | undefined): void {
    if (path !== undefined && path !== this.#spill?.path) this.#spill = { path };
  }
}

function checkText(text: unknown): void {
  if (typeof text !== "string") throw new ToolError("invalid_argument", `Output is text, not a ${typeof text}.`);
}

function refuseDrop(retain: string): ToolError {
  return new ToolError(
    "invalid_argument",
    `slide cannot drop from a text that retains its ${retain} and was cut: state it anew with replace, or retain the tail.`,
  );
}

// The length tells most of what is no slide; only then are the texts compared.
function isSlid(old: string, drop: number, added: string, whole: string): boolean {
  return whole.length === old.length - drop + added.length && whole === old.slice(drop) + added;
}
