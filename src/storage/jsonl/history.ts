import type { Sequence } from "../contract.js";
import type { JsonText, Write } from "../writes.js";
import type { FileLayer } from "./file-layer.js";
import type { SessionFiles } from "./file-names.js";
import { LoadedLog } from "./loaded-log.js";
import { LogScan } from "./log-scan.js";
import type { RecordDraft, Span } from "./record.js";

/** The commits of a main log up to a sequence, portion by portion, without what they say about ephemeral scopes. */
export async function* readHistory(
  files: FileLayer,
  { main, sessionId }: SessionFiles,
  upTo: Sequence,
): AsyncGenerator<readonly RecordDraft[]> {
  const log = await LoadedLog.open(files, main, "read", { session: sessionId, scope: null });
  try {
    for await (const records of new LogScan(log.file, log.place).read()) {
      const wanted = records
        .filter(({ sequence }) => sequence <= upTo)
        .map(({ sequence, writes }) => ({ sequence, writes: writes.filter(({ kind }) => kind !== "retire") }))
        .filter(({ writes }) => writes.length > 0);
      yield await withTexts(wanted, (spans) => log.texts.load(spans));
      if (records.some(({ sequence }) => sequence > upTo)) return;
    }
  } finally {
    await log.close();
  }
}

/** The same commits with their texts in memory. */
export async function withTexts(
  commits: readonly { readonly sequence: Sequence; readonly writes: readonly Write<Span>[]; readonly epoch?: number }[],
  load: (spans: readonly Span[]) => Promise<readonly string[]>,
): Promise<RecordDraft[]> {
  const spans = commits.flatMap(({ writes }) => writes.flatMap((write) => ("text" in write ? [write.text] : [])));
  const texts = await load(spans);
  const jsonOf = new Map(spans.map((span, place) => [span, texts[place] ?? "null"]));
  const toText = (span: Span): JsonText => ({ json: jsonOf.get(span) ?? "null", bytes: span.bytes });
  return commits.map(({ writes, ...rest }) => ({
    ...rest,
    writes: writes.map((write) => ("text" in write ? { ...write, text: toText(write.text) } : write)),
  }));
}
