import { CapturedText } from "./captured-text.js";
import type { CaptureResult, OutputCapture, OutputCaptureOptions, Pipe } from "./capture.js";
import { findEncoding } from "./encoding.js";
import type { DecodingReport, Encoding } from "./encoding.js";
import { resolveCaps } from "./limits.js";
import type { Caps } from "./limits.js";
import { countNewlines } from "./newline-count.js";
import { Publisher } from "./publisher.js";
import { RawTotals } from "./raw-totals.js";
import { SecretMask } from "./secret-mask.js";
import { DEFAULT_MAX_SPILL_BYTES, SpillFile } from "./spill-file.js";
import { openSpill } from "./spill-handle.js";
import type { ShellOutputMetadata, ShellOutputTruncation, ShellOutputUpdate, ShellOutputView } from "./view.js";

/** Makes a capture. Limits that cannot be are an `ExecError` `invalid_argument`. */
export function createOutputCapture(options: OutputCaptureOptions): OutputCapture {
  return new BoundedCapture(options, resolveCaps(options.limits));
}

class BoundedCapture implements OutputCapture {
  readonly #caps: Caps;
  readonly #onUpdate: (update: ShellOutputUpdate) => void;
  readonly #totals = new RawTotals();
  readonly #masks: readonly [SecretMask, SecretMask];
  readonly #encoding: Encoding;
  readonly #text: CapturedText;
  readonly #spill: SpillFile | undefined;
  readonly #publisher: Publisher;
  #told: string | undefined;
  #settled: Promise<CaptureResult> | undefined;

  constructor(options: OutputCaptureOptions, caps: Caps) {
    const { secrets = [], spillPath, maxSpillBytes = DEFAULT_MAX_SPILL_BYTES, onDrain } = options;
    this.#caps = caps;
    this.#onUpdate = options.onUpdate;
    this.#masks = [new SecretMask(secrets), new SecretMask(secrets)];
    this.#encoding = findEncoding(options.encoding);
    this.#text = new CapturedText(caps, secrets, this.#encoding);
    this.#publisher = new Publisher(options.clock, () => this.#publish());
    if (spillPath === undefined) return;
    const open = options.openSpill ?? openSpill;
    const limits = { maxBytes: maxSpillBytes, budget: options.spillBudget };
    this.#spill = new SpillFile({ path: spillPath, ...limits, openSpill: open, onDrain, onFull: options.onSpillFull });
  }

  push(pipe: Pipe, bytes: Uint8Array): boolean {
    if (this.#settled !== undefined || bytes.length === 0) return true;
    const newlines = countNewlines(bytes);
    this.#totals.add(bytes, newlines);
    const masked = this.#masks[pipe].filter(bytes);
    const hasRoom = this.#take(pipe, masked, masked === bytes ? newlines : undefined);
    this.#publisher.touch();
    return hasRoom;
  }

  end(pipe: Pipe): void {
    if (this.#settled !== undefined) return;
    this.#end(pipe);
    this.#publisher.touch();
  }

  settle(): Promise<CaptureResult> {
    this.#settled ??= this.#settle();
    return this.#settled;
  }

  snapshot(): ShellOutputUpdate {
    if (this.#told !== undefined && this.#settled === undefined) this.#publisher.flush();
    return { kind: "replace", output: this.#view() };
  }

  async #settle(): Promise<CaptureResult> {
    this.#end(0);
    this.#end(1);
    this.#text.finish();
    this.#publisher.flush();
    const spill = await this.#spill?.finish();
    // Only now it is known whether the file was made and is still there.
    this.#publisher.flush();
    const decoding = this.#decoding();
    return { truncation: this.#truncation(), ...(spill && { spill }), ...(decoding && { decoding }) };
  }

  #decoding(): DecodingReport | undefined {
    const { name: encoding, unknownLabel } = this.#encoding;
    const replaced = this.#text.hasReplaced;
    if (unknownLabel !== undefined) return { encoding, replaced, unknownLabel };
    return replaced ? { encoding, replaced } : undefined;
  }

  #end(pipe: Pipe): void {
    this.#take(pipe, this.#masks[pipe].finish());
    this.#text.end(pipe);
  }

  #take(pipe: Pipe, bytes: Uint8Array, newlines?: number): boolean {
    if (bytes.length > 0) this.#text.add(pipe, bytes, newlines);
    if (this.#spill === undefined) return true;
    // Before the bytes are added, so that never more than the cap is held.
    if (this.#totals.bytes > this.#caps.maxBytes || this.#totals.lines > this.#caps.maxLines) this.#openSpill();
    return this.#spill.push(bytes);
  }

  #openSpill(): void {
    if (this.#spill?.isOpen === false) this.#spill.open();
  }

  /** Tells what changed, and gives its bytes as JSON. */
  #publish(): number {
    this.#text.catchUp();
    if (this.#text.kept.cutBy !== null) this.#openSpill();
    const metadata = this.#metadata();
    const updates = this.#changes(metadata);
    const told = JSON.stringify(metadata);
    if (updates.length === 0 && told !== this.#told) updates.push({ kind: "metadata", metadata });
    this.#told = told;
    for (const update of updates) this.#onUpdate(update);
    return updates.reduce((sum, update) => sum + Buffer.byteLength(JSON.stringify(update)), 0);
  }

  #changes(metadata: ShellOutputMetadata): ShellOutputUpdate[] {
    const changes = this.#text.kept.takeChanges();
    if (changes === "replaced" || this.#told === undefined) return [{ kind: "replace", output: this.#view() }];
    return changes.map(({ block, change: { drop, text } }) =>
      drop === 0 ? { kind: "append", block, text, metadata } : { kind: "slide", block, drop, text, metadata },
    );
  }

  #view(): ShellOutputView {
    const { text, tail } = this.#text.kept;
    return { text, ...(tail !== undefined && { tail }), ...this.#metadata() };
  }

  #metadata(): ShellOutputMetadata {
    const { progress } = this.#text;
    return {
      truncation: this.#truncation(),
      ...(progress !== undefined && { progress }),
      ...(hasFile(this.#spill) && { spillPath: this.#spill.path }),
    };
  }

  #truncation(): ShellOutputTruncation {
    const { cutBy, partialLineBytes } = this.#text.kept;
    return {
      truncated: cutBy !== null,
      truncatedBy: cutBy,
      totalLines: this.#totals.lines,
      totalBytes: this.#totals.bytes,
      maxLines: this.#caps.maxLines,
      maxBytes: this.#caps.maxBytes,
      ...(partialLineBytes !== undefined && { partialLineBytes }),
    };
  }
}

function hasFile(spill: SpillFile | undefined): spill is SpillFile {
  return spill !== undefined && spill.isOpen && !spill.isMissing;
}
