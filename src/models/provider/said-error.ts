/** An error as the provider states it, whichever way it came: as a response, in the stream, or as an event of its own. */
export interface SaidError {
  /** Of the HTTP response; undefined where the error came in a stream that had begun well. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: string;
  /** Its type and its codes. */
  readonly names: readonly string[];
}

/**
 * Reads what a provider's package throws, or gives as the error of a stream, as far as it is the provider's word;
 * undefined where it is not. Packages of several versions may be loaded, so what is read are fields and no classes.
 */
export function readSaidError(thrown: unknown): SaidError | undefined {
  if (!isRecord(thrown)) return undefined;
  const status = readStatus(thrown["statusCode"]);
  const body = thrown["responseBody"];
  const headers = readHeaders(thrown["responseHeaders"]);
  if (status !== undefined && status >= 400) {
    const stated = typeof body === "string" ? readBody(body) : undefined;
    return { status, headers, message: stated?.message ?? messageOf(thrown), names: stated?.names ?? [] };
  }
  const chunk = readRefusedChunk(thrown["value"]);
  const stated = chunk ?? (thrown instanceof Error ? undefined : readStated(thrown));
  return stated === undefined ? undefined : { headers, ...stated };
}

/** A chunk that is an error in a shape which the packages do not know, such as `{error: "…"}`. */
function readRefusedChunk(chunk: unknown): Pick<SaidError, "message" | "names"> | undefined {
  if (!isRecord(chunk)) return undefined;
  return readStated(chunk["error"]) ?? (chunk["type"] === "error" ? readStated(chunk) : undefined);
}

/** Bodies are `{error: {…}}`, `{type, message}`, `{error: "…"}`, `{message}`, `{detail}`, or no JSON at all. */
function readBody(body: string): Pick<SaidError, "message" | "names"> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (!isRecord(value)) return undefined;
    return readStated(value["error"]) ?? readStated(value) ?? readStated(value["detail"]);
  } catch {
    // A proxy's page, say. Only text that reads as words is worth showing.
    return /^\s*</.test(body) || body.trim() === "" ? undefined : { message: body.trim(), names: [] };
  }
}

function readStated(value: unknown): Pick<SaidError, "message" | "names"> | undefined {
  if (typeof value === "string") return { message: value, names: [] };
  if (!isRecord(value)) return undefined;
  // OpenAI's failed responses hold the error one level down.
  const nested = isRecord(value["response"]) ? readStated(value["response"]["error"]) : undefined;
  if (nested !== undefined) return nested;
  const details = isRecord(value["details"]) ? value["details"] : {};
  const names = [value["type"], value["code"], details["error_code"]].flatMap(readName);
  const message = value["message"];
  return typeof message === "string" ? { message, names } : undefined;
}

function readName(value: unknown): readonly string[] {
  if (typeof value === "number") return [String(value)];
  return typeof value === "string" && value !== "" ? [value] : [];
}

function readStatus(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

function readHeaders(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name.toLowerCase(), text]] : [])),
  );
}

function messageOf(thrown: { readonly [key: string]: unknown }): string {
  return typeof thrown["message"] === "string" ? thrown["message"] : "";
}

function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
