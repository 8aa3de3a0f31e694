import { ModelError } from "../contract.js";

/**
 * The address that requests go to, without a slash at its end. Throws `invalid_model` for what is no address of http or
 * https, and for one with a user, a password or a query, because addresses are shown and stored.
 */
export function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ModelError(
      "invalid_model",
      "A model's address begins with http:// or https://, such as http://localhost:11434/v1.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ModelError(
      "invalid_model",
      `The address of ${url.host} holds a user or a password; take it out and give the key by a variable or a command.`,
    );
  }
  if (url.search !== "") {
    throw new ModelError(
      "invalid_model",
      `The address of ${url.host} has a query, which cannot be sent; leave it out.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Throws `invalid_model` where the key and the conversation would go over a network in the clear. */
export function checkTransport(baseUrl: string, allowPlainHttp: boolean): void {
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol === "https:" || allowPlainHttp || isLoopback(hostname)) return;
  throw new ModelError(
    "invalid_model",
    `${host} is another machine, and plain http would show it all that is said; use https, a tunnel to localhost, or allow plain http.`,
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname) || /(^|\.)localhost$/.test(hostname);
}
