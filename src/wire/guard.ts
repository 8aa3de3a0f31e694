import { WireError } from "./errors.js";
import { findAccess } from "./tokens.js";
import type { Access, WireTokens } from "./tokens.js";

/** Most bytes of a request's body, where its route does not say otherwise. */
export const MAX_BODY_BYTES = 16_384;

/** A request as it is before its body: all that a decision about it may rest on. */
export interface RequestHead {
  readonly method: string;
  readonly header: (name: string) => string | undefined;
}

export interface RouteRules {
  /** Absent for what holds no data: the page itself. */
  readonly access?: Access;
  readonly methods: readonly string[];
  /** Default {@link MAX_BODY_BYTES}. */
  readonly maxBodyBytes?: number;
}

export interface GuardOptions {
  readonly tokens: WireTokens;
  /** The exact values of `Host` under which the server is reached. */
  readonly hosts: ReadonlySet<string>;
}

/**
 * Refuses a request by its head, before anything of its body is read. Throws the {@link WireError} that is the answer.
 * Without rules the address is none that we know. Gives what the request's token allows; undefined where none is needed.
 */
export function checkHead(head: RequestHead, rules: RouteRules | undefined, options: GuardOptions): Access | undefined {
  checkHost(head, options.hosts);
  checkOrigin(head);
  const isPublic = rules !== undefined && rules.access === undefined;
  const access = isPublic ? undefined : checkToken(head, options.tokens);
  // What exists is told only after the token was found good.
  if (rules === undefined) throw new WireError("not_found", "there is nothing at this address");
  checkMethod(head, rules);
  if (rules.access === "control" && access !== "control") {
    throw new WireError("forbidden", "this needs the control token; the one sent is for viewing");
  }
  if (mayHaveBody(head)) checkBodyHead(head, rules.maxBodyBytes ?? MAX_BODY_BYTES);
  return access;
}

function checkToken(head: RequestHead, tokens: WireTokens): Access {
  const access = findAccess(tokens, head.header("authorization"));
  if (access !== undefined) return access;
  throw new WireError("unauthorized", "send the session's token as Authorization: Bearer TOKEN");
}

// A name that an attacker's DNS points at this machine carries the attacker's host.
function checkHost(head: RequestHead, hosts: ReadonlySet<string>): void {
  const host = head.header("host");
  if (host === undefined || !hosts.has(host.toLowerCase())) {
    throw new WireError("wrong_host", `this server is reached as ${[...hosts].join(" or ")} alone`);
  }
}

function checkOrigin(head: RequestHead): void {
  const origin = head.header("origin");
  if (origin !== undefined && origin !== `http://${head.header("host")}`) {
    throw new WireError("wrong_origin", "pages of other origins may not use this server");
  }
  const isBrowser = head.header("sec-fetch-site") !== undefined;
  if (origin === undefined && isBrowser && !isRead(head.method)) {
    throw new WireError("wrong_origin", "a browser must send its Origin with anything but GET");
  }
}

function checkMethod(head: RequestHead, rules: RouteRules): void {
  if (!rules.methods.includes(head.method)) {
    throw new WireError("method_not_allowed", `this address takes ${rules.methods.join(", ")}`);
  }
}

function checkBodyHead(head: RequestHead, maxBytes: number): void {
  const type = head.header("content-type") ?? "";
  if (!/^application\/json\s*(;\s*charset=utf-8\s*)?$/i.test(type)) {
    throw new WireError("unsupported_media_type", "send a body of Content-Type: application/json");
  }
  if (Number(head.header("content-length") ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
}

export function bodyTooLarge(maxBytes: number): WireError {
  return new WireError("payload_too_large", `a body has at most ${maxBytes} bytes here`);
}

/** A DELETE says by its address what is meant, and needs no type where it announces no body. */
function mayHaveBody(head: RequestHead): boolean {
  if (isRead(head.method)) return false;
  if (head.method !== "DELETE") return true;
  return head.header("transfer-encoding") !== undefined || Number(head.header("content-length") ?? 0) !== 0;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
