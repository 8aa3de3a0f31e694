import { ExecError } from "../errors.js";
import type { ExecErrorCode } from "../errors.js";
import { anything, count, oneOf, record, string } from "./checks.js";
import type { Check } from "./checks.js";
import { execResult } from "./shapes.js";

/** What a client says. `id` is the client's own, another for each request of its life. */
export type UpMessage =
  | { readonly type: "hello"; readonly protocol: number }
  | { readonly type: "request"; readonly id: number; readonly method: string; readonly params?: unknown }
  /** Nobody waits for the answer any more; of use for requests that follow something. */
  | { readonly type: "cancel"; readonly id: number }
  /** Bytes of frames that were taken since the hello. */
  | { readonly type: "ack"; readonly bytes: number }
  | { readonly type: "ping" };

/** What a host says. Each request has one answer; what it follows is told before. */
export type DownMessage =
  | { readonly type: "hello"; readonly protocol: number; readonly hostId: string; readonly bootId: string }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "update"; readonly id: number; readonly update?: unknown }
  | { readonly type: "value"; readonly id: number; readonly value?: unknown }
  | { readonly type: "error"; readonly id: number; readonly error: WireError }
  | { readonly type: "pong" };

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly result?: unknown;
}

const up = {
  hello: record({ type: oneOf("hello"), protocol: count }),
  request: record({ type: oneOf("request"), id: count, method: string, params: anything }),
  cancel: record({ type: oneOf("cancel"), id: count }),
  ack: record({ type: oneOf("ack"), bytes: count }),
  ping: record({ type: oneOf("ping") }),
} satisfies Record<UpMessage["type"], Check<UpMessage>>;

const down = {
  hello: record({ type: oneOf("hello"), protocol: count, hostId: string, bootId: string }),
  refused: record({ type: oneOf("refused"), message: string }),
  update: record({ type: oneOf("update"), id: count, update: anything }),
  value: record({ type: oneOf("value"), id: count, value: anything }),
  error: record({
    type: oneOf("error"),
    id: count,
    error: record({ code: string, message: string, result: anything }),
  }),
  pong: record({ type: oneOf("pong") }),
} satisfies Record<DownMessage["type"], Check<DownMessage>>;

const upType = record({ type: oneOf("hello", "request", "cancel", "ack", "ping") });
const downType = record({ type: oneOf("hello", "refused", "update", "value", "error", "pong") });

/** @throws {ExecError} `invalid_argument` */
export function parseUp(value: unknown): UpMessage {
  return up[upType(value, "the message").type](value, "the message");
}

/** @throws {ExecError} `invalid_argument` */
export function parseDown(value: unknown): DownMessage {
  return down[downType(value, "the message").type](value, "the message");
}

export function encodeError(error: unknown): WireError {
  if (!(error instanceof ExecError)) {
    return {
      code: "internal",
      message: `the exec host failed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  const { code, message, result } = error;
  return result === undefined ? { code, message } : { code, message, result };
}

export function decodeError({ code, message, result }: WireError): ExecError {
  const known = ERROR_CODES.find((one) => one === code) ?? "internal";
  return new ExecError(known, message, result === undefined ? {} : { result: execResult(result, "the result") });
}

const codes: Readonly<Record<ExecErrorCode, true>> = {
  invalid_argument: true,
  spawn_failed: true,
  timeout: true,
  aborted: true,
  signal: true,
  execution_unknown: true,
  execution_lost: true,
  abandoned: true,
  link_lost: true,
  link_refused: true,
  input_closed: true,
  input_full: true,
  file_not_found: true,
  file_exists: true,
  not_a_file: true,
  not_a_folder: true,
  folder_not_empty: true,
  permission_denied: true,
  file_too_large: true,
  file_changed: true,
  disk_full: true,
  spill_expired: true,
  file_failed: true,
  env_closed: true,
  sandbox_unavailable: true,
  unsupported_platform: true,
  internal: true,
};
const ERROR_CODES = Object.keys(codes) as readonly ExecErrorCode[];
