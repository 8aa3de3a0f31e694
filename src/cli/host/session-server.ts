import { dirname } from "node:path";
import { createWireServer } from "../../wire/index.js";
import type { WireServer, WireTokens } from "../../wire/index.js";
import { describeFailure } from "../failure.js";
import { makePrivateFolder } from "../places.js";
import type { Places } from "../places.js";
import { announceRun, withdrawRun } from "../session/run-file.js";
import type { RunFile } from "../session/run-file.js";
import type { WorkSession } from "../session/work-session.js";
import { readPageFiles } from "../page-files.js";
import { createLiveSource } from "./live-session.js";
import { createTokens } from "./tokens.js";

export interface SessionServerOptions {
  readonly places: Places;
  /** Where a page is to be served on loopback; 0 for any free port. None by default. */
  readonly port?: number | undefined;
  /** What the process before this one said of itself: who followed that comes back to the same addresses. */
  readonly previous: RunFile | undefined;
  readonly warn: (text: string) => void;
}

/** Shows the session of this process to others while it lives. */
export interface SessionServer {
  readonly tokens: WireTokens;
  /** Where the page is, such as `http://127.0.0.1:4711`; absent where none is served. */
  readonly origin: string | undefined;
  /** After the session's facets ended: waits until who was watching has the end, and stops listening. */
  close(): Promise<void>;
}

/** How long a process that took over waits for viewers of the one before. */
const RETURN_MS = 15_000;
/** What each subscriber has to take its last message. */
const GRACE_MS = 1_000;
const WATCH_MS = 250;

export async function serveSession(work: WorkSession, options: SessionServerOptions): Promise<SessionServer> {
  const { places, previous, warn } = options;
  const tokens = previous?.tokens ?? createTokens();
  const port = options.port ?? previous?.port;
  let announced: number | undefined;
  let announce = (_viewers: number): void => undefined;
  const server = createWireServer({
    // Never fewer than before: those who were cut off together come back one by one.
    source: createLiveSource(work, places, () => announce(Math.max(announced ?? 0, server.counters.open + 1))),
    tokens,
    page: port === undefined ? undefined : readPageFiles(),
    onFault: (error) => warn(`a viewer could not be answered: ${describeFailure(error).message}`),
  });
  const socket = await listenOnSocket(server, places.socket(work.id), warn);
  const address = port === undefined ? undefined : await server.listenTcp({ port });
  announce = (viewers) => {
    if (viewers === announced) return;
    announced = viewers;
    const notes = { startedAt: work.openedAt, socket, port: address?.port, tokens, viewers };
    try {
      announceRun(places, work.id, notes);
    } catch (error) {
      // What runs is worth more than who sees it.
      warn(`this session cannot be found from elsewhere: ${describeFailure(error).message}`);
    }
  };
  announce(previous?.viewers ?? 0);
  let seenAt = performance.now();
  const watching = setInterval(() => {
    const { open, opened } = server.counters;
    const now = performance.now();
    if (open >= (announced ?? 0)) seenAt = now;
    // Who is not there now may be about to come back, also from the process before this one.
    if (open >= (announced ?? 0) || (opened > 0 && now - seenAt > RETURN_MS)) announce(open);
  }, WATCH_MS).unref();

  return {
    tokens,
    origin: address?.origin,
    async close() {
      clearInterval(watching);
      await returnOf(server, previous?.viewers ?? 0);
      await server.close({ graceMs: GRACE_MS });
      withdrawRun(places, work.id);
    },
  };
}

/** A session that cannot be watched is run all the same. */
async function listenOnSocket(
  server: WireServer,
  path: string,
  warn: (text: string) => void,
): Promise<string | undefined> {
  try {
    makePrivateFolder(dirname(path));
    await server.listenUnix(path);
    return path;
  } catch (error) {
    warn(`this session cannot be watched from elsewhere: ${describeFailure(error).message}`);
    return undefined;
  }
}

/** Until so many came, and everybody was sent the end. */
async function returnOf(server: WireServer, viewers: number): Promise<void> {
  const deadline = performance.now() + RETURN_MS;
  while (performance.now() < deadline) {
    const { ended, open } = server.counters;
    if (ended >= viewers && open === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
