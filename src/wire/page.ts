/** The viewer's files by their path, such as `/` and `/app.js`. They hold no data, so anyone who reaches the server has them. */
export type WirePage = ReadonlyMap<string, PageFile>;

export interface PageFile {
  /** Such as `text/html; charset=utf-8`. */
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** The page's own script and style, this server, and nothing else; no text ever becomes markup. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

/** Of every answer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};
