import type { CliContext } from "../context.js";
import type { Shows } from "../options/shows.js";
import { findPlaces } from "../places.js";
import type { WorkSession } from "../session/work-session.js";
import { describeAddresses } from "./addresses.js";
import { serveSession } from "./session-server.js";
import type { SessionServer } from "./session-server.js";

export interface ServeChoice {
  /** Where the page is to be served on loopback; 0 for any port that is free. */
  readonly port: number | undefined;
  readonly shows: Shows;
}

/** Shows a session that has just been opened to others, and says where its page is. */
export async function serveWork(
  session: WorkSession,
  { port, shows }: ServeChoice,
  context: CliContext,
): Promise<SessionServer> {
  const warn = (text: string): void => {
    if (shows !== "result") context.stderr.write(`spillway: ${text}\n`);
  };
  const server = await serveSession(session, { places: findPlaces(context), port, previous: undefined, warn });
  const { origin, tokens } = server;
  if (origin !== undefined) context.stderr.write(describeAddresses(origin, tokens));
  return server;
}
