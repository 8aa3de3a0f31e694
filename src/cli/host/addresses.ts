import type { WireTokens } from "../../wire/index.js";

/** Where a page is, for a person: the token is in the part of the address that no browser sends. */
export function describeAddresses(origin: string, tokens: WireTokens): string {
  return [
    `watch it at           ${origin}/#token=${tokens.view}`,
    `watch and control at  ${origin}/#token=${tokens.control}`,
    "",
  ].join("\n");
}
