import { ModelError } from "../contract.js";

/** Bytes of one response, however they are packed. */
export const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

export interface FetchGuard {
  readonly fetch: typeof fetch;
  /** Such as `Anthropic`. */
  readonly provider: string;
}

/**
 * A fetch that goes where it is sent and nowhere else, because a redirect would carry the key there, and that reads no more
 * than {@link MAX_RESPONSE_BYTES}.
 */
export function guardFetch({ fetch, provider }: FetchGuard): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      const where = "it would be sent the key; name the final address instead";
      throw new ModelError(
        "bad_response",
        `${provider} sends the request on to another address (${response.status}): ${where}.`,
      );
    }
    const { body, status, statusText, headers } = response;
    if (body === null) return response;
    return new Response(body.pipeThrough(limitBytes(provider)), { status, statusText, headers });
  };
}

function limitBytes(provider: string): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes <= MAX_RESPONSE_BYTES) return controller.enqueue(chunk);
      throw new ModelError("bad_response", `${provider} sent more than ${MAX_RESPONSE_BYTES} bytes and was cut off.`);
    },
  });
}
