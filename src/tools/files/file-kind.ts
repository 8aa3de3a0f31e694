/** What a file is by its first bytes. */
export type ContentKind =
  | { readonly kind: "text" }
  | { readonly kind: "image"; readonly mediaType: string }
  | { readonly kind: "binary"; readonly name: string };

/** How much of a file tells its kind. */
export const KIND_BYTES = 8_192;

/** `start` holds the first {@link KIND_BYTES} of the file, or all of it. What has a NUL among them is no text. */
export function detectKind(start: Uint8Array): ContentKind {
  const head = start.subarray(0, KIND_BYTES);
  const image = IMAGES.find(({ marks }) => hasMarks(head, marks));
  if (image !== undefined) return { kind: "image", mediaType: image.mediaType };
  const known = BINARIES.find(({ marks }) => hasMarks(head, marks));
  if (known !== undefined) return { kind: "binary", name: known.name };
  return head.includes(0) ? { kind: "binary", name: "binary data" } : { kind: "text" };
}

/** Bytes as a latin-1 text, and where they stand. */
type Mark = readonly [offset: number, bytes: string];

const IMAGES: readonly { readonly mediaType: string; readonly marks: readonly Mark[] }[] = [
  { mediaType: "image/png", marks: [[0, "\x89PNG\r\n\x1a\n"]] },
  { mediaType: "image/jpeg", marks: [[0, "\xff\xd8\xff"]] },
  { mediaType: "image/gif", marks: [[0, "GIF87a"]] },
  { mediaType: "image/gif", marks: [[0, "GIF89a"]] },
  {
    mediaType: "image/webp",
    marks: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  },
];

const BINARIES: readonly { readonly name: string; readonly marks: readonly Mark[] }[] = [
  { name: "a PDF document", marks: [[0, "%PDF-"]] },
  { name: "a ZIP archive", marks: [[0, "PK\x03\x04"]] },
  { name: "gzip data", marks: [[0, "\x1f\x8b\x08"]] },
  { name: "an ELF program", marks: [[0, "\x7fELF"]] },
  { name: "an SQLite database", marks: [[0, "SQLite format 3\0"]] },
  { name: "UTF-16 text", marks: [[0, "\xff\xfe"]] },
  { name: "UTF-16 text", marks: [[0, "\xfe\xff"]] },
];

function hasMarks(head: Uint8Array, marks: readonly Mark[]): boolean {
  return marks.every(([offset, bytes]) =>
    Buffer.from(bytes, "latin1").every((byte, index) => head[offset + index] === byte),
  );
}
