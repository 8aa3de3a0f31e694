import { ask, askJson, connectToStream } from "./http-client.js";
import type { WireTarget } from "./http-client.js";
import { WireError } from "./errors.js";
import { openRelay } from "./relay.js";
import type {
  CallOutput,
  EntryPage,
  FacetStream,
  LaneSummary,
  SaidMessage,
  SessionSummary,
  WireSession,
} from "./source.js";

/** Addresses of a session's routes. */
export function sessionPath(session: string): string {
  return `/api/sessions/${session}`;
}

export function facetPath(session: string, lane: string, facet: string): string {
  return `${sessionPath(session)}/lanes/${lane}/facets/${facet}`;
}

/**
 * A session that another process serves, as a source of this one. Of each facet one connection is held while anyone
 * listens. Undefined where that process has no such session; throws `unavailable` where there is none.
 */
export async function openRemoteSession(
  target: WireTarget,
  session: string,
  relays: RelayShelf,
): Promise<WireSession | undefined> {
  const path = sessionPath(session);
  const answer = await askJson(target, path);
  if (answer === undefined) return undefined;
  const { lanes, ...summary } = answer as SessionSummary & { readonly lanes: readonly LaneSummary[] };
  return {
    summary,
    lanes,
    facet: (lane, facet) => relays.open(target, facetPath(session, lane, facet)),
    async entries(lane, { before, limit }) {
      const page = await askJson(target, `${path}/lanes/${lane}/entries?before=${before}&limit=${limit}`);
      return page as EntryPage | undefined;
    },
    output: (operation, call) => remoteOutput(target, `${path}/operations/${operation}/calls/${call}/output`),
    async abort(lane, reason) {
      try {
        await ask(target, `${path}/lanes/${lane}/abort`, { method: "POST", body: { reason } });
        return true;
      } catch (error) {
        if (error instanceof WireError && error.code === "conflict") return false;
        throw error;
      }
    },
    async approve(lane, call, decision) {
      existing(
        await askJson(target, `${path}/lanes/${lane}/approvals/${call}`, { method: "POST", body: decision }),
        lane,
      );
    },
    async say(lane, text, as) {
      const said = await askJson(target, `${path}/lanes/${lane}/messages`, { method: "POST", body: { text, as } });
      return existing(said, lane) as SaidMessage;
    },
    async withdraw(lane, message) {
      const answer = await askJson(target, `${path}/lanes/${lane}/messages/${message}`, { method: "DELETE" });
      return (existing(answer, lane) as { readonly withdrawn: boolean }).withdrawn;
    },
  };
}

function existing(answer: unknown, lane: string): unknown {
  if (answer === undefined) throw new WireError("not_found", `no lane ${lane} in this session`);
  return answer;
}

/** The relays of a process that serves others' sessions: one a facet. */
export interface RelayShelf {
  open(target: WireTarget, path: string): Promise<FacetStream>;
}

export function createRelayShelf(): RelayShelf {
  const relays = new Map<string, Promise<FacetStream>>();
  return {
    open(target, path) {
      const place = "socketPath" in target ? target.socketPath : `${target.host}:${target.port}`;
      const key = `${place}${path}`;
      const known = relays.get(key);
      if (known !== undefined) return known;
      const relay = openRelay(connectToStream(target, path), {
        onClosed: () => {
          if (relays.get(key) === relay) relays.delete(key);
        },
      });
      relays.set(key, relay);
      return relay;
    },
  };
}

async function remoteOutput(target: WireTarget, path: string): Promise<CallOutput | undefined> {
  const bytes = await outputSize(target, path);
  if (bytes === undefined) return undefined;
  return {
    ...bytes,
    async *read(start, end) {
      if (start === end) return;
      const answer = await ask(target, path, { headers: { range: `bytes=${start}-${end - 1}` } });
      yield* answer as AsyncIterable<Buffer>;
    },
  };
}

/** The head of the answer says how many there are; its body is not read. */
async function outputSize(
  target: WireTarget,
  path: string,
): Promise<{ readonly bytes: number; readonly complete: boolean } | undefined> {
  try {
    const answer = await ask(target, path);
    answer.destroy();
    const { headers } = answer;
    return { bytes: Number(headers["content-length"] ?? 0), complete: headers["spillway-complete"] === "true" };
  } catch (error) {
    if (error instanceof WireError && error.code === "not_found") return undefined;
    throw error;
  }
}
