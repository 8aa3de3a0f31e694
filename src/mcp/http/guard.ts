import { createHash, timingSafeEqual } from "node:crypto";

export interface HttpGuard {
  readonly token: string;
  /** The exact values of `Host` under which the server is reached. */
  readonly hosts: ReadonlySet<string>;
}

/** Where the server answers. */
export const MCP_PATH = "/mcp";

const METHODS = new Set(["POST", "GET", "DELETE"]);
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** The refusal of a request by its head, before anything of its body is read; undefined where it may be answered. */
export function refuseHead({ method, url, headers }: Request, { token, hosts }: HttpGuard): Response | undefined {
  const host = headers.get("host")?.toLowerCase();
  // A name that an attacker's DNS points at this machine carries the attacker's host.
  if (host === undefined || !hosts.has(host)) {
    return refuse(421, "wrong_host", `this server is reached as ${[...hosts].join(" or ")} alone`);
  }
  const origin = headers.get("origin");
  if (origin !== null && origin !== `http://${host}`) {
    return refuse(403, "wrong_origin", "pages of other origins may not use this server");
  }
  const sent = BEARER.exec(headers.get("authorization") ?? "")?.[1];
  if (sent === undefined || !isSame(sent, token)) {
    const how = { "www-authenticate": "Bearer" };
    return refuse(401, "unauthorized", "send the server's token as Authorization: Bearer TOKEN", how);
  }
  // What exists is told only after the token was found good.
  if (new URL(url).pathname !== MCP_PATH) return refuse(404, "not_found", `the server answers at ${MCP_PATH}`);
  if (METHODS.has(method)) return undefined;
  return refuse(405, "method_not_allowed", `this address takes ${[...METHODS].join(", ")}`);
}

export function refuse(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  // Clients of the protocol look for an error of JSON-RPC in whatever is no success.
  const body = { jsonrpc: "2.0", id: null, error: { code: -32_000, message: `${code}: ${message}`, data: { code } } };
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

/** In a time that tells nothing of where they differ. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
