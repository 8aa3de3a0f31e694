import { ConnectionError } from "./errors.js";
import type { Connection } from "./stream.js";

// Browsers and Node both have these; this layer is compiled with neither's types.
declare const AbortController: new () => { readonly signal: unknown; abort(): void };
declare const fetch: Fetch;

/** As much of `fetch` as a connection needs. */
export type Fetch = (address: string, options: FetchOptions) => Promise<FetchResponse>;

interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** An AbortSignal, whose type is not known here; `never` is what any \`fetch\` takes. */
  readonly signal: never;
  readonly cache: "no-store";
}

interface FetchResponse {
  readonly status: number;
  readonly body: { getReader(): ByteReader } | null;
  text(): Promise<string>;
}

interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

export interface FetchConnectionOptions {
  readonly token: string;
  /** Default the global one. */
  readonly fetch?: Fetch | undefined;
}

/** A connection to the stream at `address` by `fetch`, for browsers. */
export function connectByFetch(address: string, options: FetchConnectionOptions): Connection {
  const controller = new AbortController();
  return {
    close: () => controller.abort(),
    [Symbol.asyncIterator]: () => readBody(address, options, controller.signal),
  };
}

async function* readBody(
  address: string,
  options: FetchConnectionOptions,
  signal: unknown,
): AsyncGenerator<Uint8Array, void, undefined> {
  const response = await (options.fetch ?? fetch)(address, {
    headers: { authorization: `Bearer ${options.token}`, accept: "text/event-stream" },
    signal: signal as never,
    cache: "no-store",
  });
  if (response.status !== 200 || response.body === null) throw refusal(response.status, await response.text());
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return;
    yield value;
  }
}

/** What an answer other than the stream means: a fault of the server or of something between may pass, a refusal stays. */
export function refusal(status: number, body: string): ConnectionError {
  const isLasting = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const said = body.length <= 200 ? body : `${body.slice(0, 200)}…`;
  return new ConnectionError(isLasting ? "refused" : "unreachable", `the host answered ${status}: ${said}`, { status });
}
