import { displayText } from "../format/display-text.js";
import type { Api, ByteRange, CallPlace } from "../host/api.js";

/** Most bytes of an output that are shown at once. */
export const PREVIEW_BYTES = 65_536;
/** Bytes that a download asks for at a time. */
const DOWNLOAD_PART_BYTES = 8_388_608;

/** A part of a call's full output, as text. */
export interface Preview extends ByteRange {
  readonly text: string;
  readonly totalBytes: number;
  readonly complete: boolean;
}

/** The part that begins at `start`, or the last one. */
export async function readPreview(api: Api, call: CallPlace, start: number | "last"): Promise<Preview> {
  const range = start === "last" ? { last: PREVIEW_BYTES } : { start, end: start + PREVIEW_BYTES };
  const part = await api.output(call, range);
  const bytes = new Uint8Array(await part.body.arrayBuffer());
  // Lines end as they did on a terminal; other controls are shown as signs.
  const text = displayText(decodePart(bytes).replaceAll("\r\n", "\n"));
  const { totalBytes, complete } = part;
  return { text, start: part.start, end: part.start + bytes.length, totalBytes, complete };
}

/** Reads all there is, part by part. */
export async function download(
  api: Api,
  call: CallPlace,
  onProgress: (bytes: number, totalBytes: number) => void,
): Promise<Blob> {
  const parts: Blob[] = [];
  let bytes = 0;
  let totalBytes = Infinity;
  while (bytes < totalBytes) {
    const part = await api.output(call, { start: bytes, end: bytes + DOWNLOAD_PART_BYTES });
    if (totalBytes === Infinity) totalBytes = part.totalBytes;
    if (part.body.size === 0) break;
    parts.push(part.body);
    bytes += part.body.size;
    onProgress(bytes, totalBytes);
  }
  return new Blob(parts, { type: "application/octet-stream" });
}

/** A part may begin and end inside a character: what is left of it there is not shown. */
function decodePart(bytes: Uint8Array): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start), { stream: true });
}
