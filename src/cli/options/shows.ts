import { CliError } from "../failure.js";

/** How much a command tells: all there is, the result alone, or lines of JSON. */
export type Shows = "everything" | "result" | "json";

export interface ShowsOptions {
  readonly json?: true;
  readonly quiet?: true;
}

/** What `--json` and `--quiet` ask for. @throws {CliError} `bad_usage` for both at once. */
export function toShows({ json, quiet }: ShowsOptions): Shows {
  if (json === true && quiet === true)
    throw new CliError("bad_usage", "--json and --quiet exclude each other; leave one out");
  if (json === true) return "json";
  return quiet === true ? "result" : "everything";
}
