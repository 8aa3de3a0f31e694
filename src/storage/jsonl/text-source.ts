import { StorageError } from "../errors.js";
import { describeCause } from "./failures.js";
import type { OpenFile } from "./file-layer.js";
import type { Span } from "./record.js";

/** Reads texts of one file. Closing waits for the readings that run, so a file may be replaced beneath them. */
export class TextSource {
  readonly #path: string;
  readonly #file: OpenFile;
  readonly #readings = new Set<Promise<unknown>>();

  constructor(path: string, file: OpenFile) {
    this.#path = path;
    this.#file = file;
  }

  async load(spans: readonly Span[]): Promise<readonly string[]> {
    const reading = this.#load(spans);
    this.#readings.add(reading);
    return reading.finally(() => this.#readings.delete(reading));
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#readings);
    await this.#file.close();
  }

  async #load(spans: readonly Span[]): Promise<readonly string[]> {
    const texts = new Map<Span, string>();
    for (const { start, end, members } of groupNeighbours(spans)) {
      const buffer = Buffer.allocUnsafe(end - start);
      await this.#fill(buffer, start);
      for (const span of members)
        texts.set(span, buffer.toString("utf8", span.start - start, span.start - start + span.bytes));
    }
    return spans.map((span) => texts.get(span) ?? "");
  }

  async #fill(buffer: Buffer, start: number): Promise<void> {
    const count = await this.#file.read(buffer, start).catch((cause: unknown) => {
      throw new StorageError("io_failed", `${this.#path} could not be read: ${describeCause(cause)}.`, { cause });
    });
    if (count === buffer.length) return;
    throw new StorageError("io_failed", `${this.#path} ends at byte ${start + count}, within a text that it held.`);
  }
}

interface SpanGroup {
  readonly start: number;
  end: number;
  readonly members: Span[];
}

/** One reading for spans that lie near each other costs less than many. */
function groupNeighbours(spans: readonly Span[]): SpanGroup[] {
  const groups: SpanGroup[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const end = span.start + span.bytes;
    const group = groups.at(-1);
    if (group !== undefined && span.start - group.end <= MAX_GAP_BYTES && end - group.start <= MAX_GROUP_BYTES) {
      group.end = end;
      group.members.push(span);
    } else {
      groups.push({ start: span.start, end, members: [span] });
    }
  }
  return groups;
}

const MAX_GAP_BYTES = 4 * 1024;
const MAX_GROUP_BYTES = 1024 * 1024;
