import { computed, effect, signal } from "@preact/signals";
import type { ReadonlySignal, Signal } from "@preact/signals";
import { ApiError, createApi } from "../host/api.js";
import type { Api, LanePlace, SessionDetail, SessionList, SessionSummary } from "../host/api.js";
import { keepToken, loadToken, readFragment, writeFragment } from "../host/token.js";
import { openLane } from "../lane/open-lane.js";
import type { OpenLane } from "../lane/open-lane.js";
import { pollSessions } from "../sessions/session-poll.js";
import type { SessionPoll } from "../sessions/session-poll.js";

/** All that the page knows, and what a person can make it do. */
export interface Viewer {
  readonly access: Signal<Connected | undefined>;
  /** Why there is no access: no token yet, or one that the host refused. */
  readonly refused: Signal<"no token" | "wrong token">;
  readonly selection: Signal<Selection>;
  readonly filter: Signal<string>;
  readonly shown: ReadonlySignal<readonly SessionSummary[]>;
  /** Whether the token also allows to change things. */
  readonly isControl: ReadonlySignal<boolean>;
  readonly isHelpOpen: Signal<boolean>;
  readonly isPanelOpen: Signal<boolean>;
  signIn(token: string): void;
  select(session: string | undefined): void;
  selectLane(lane: string): void;
  /** What is being written to a lane: it stays while another one is looked at. */
  draftOf(place: LanePlace): Signal<string>;
}

export interface Connected {
  readonly api: Api;
  readonly poll: SessionPoll;
}

export type Selection =
  | { readonly kind: "none" }
  | { readonly kind: "opening"; readonly session: string }
  | { readonly kind: "failed"; readonly session: string; readonly error: ApiError }
  | { readonly kind: "open"; readonly session: string; readonly detail: SessionDetail; readonly lane: OpenLane };

const OPEN_AGAIN_MS = 2_000;
const WIDE_PX = 1_100;

export function createViewer(page: Window): Viewer {
  return new PageViewer(page);
}

class PageViewer implements Viewer {
  readonly access = signal<Connected | undefined>(undefined);
  readonly refused = signal<"no token" | "wrong token">("no token");
  readonly selection = signal<Selection>({ kind: "none" });
  readonly filter = signal("");
  readonly isHelpOpen = signal(false);
  readonly isPanelOpen: Signal<boolean>;
  readonly shown = computed(() => this.#filtered());
  readonly isControl = computed(() => this.access.value?.poll.list.value?.access === "control");
  readonly #page: Window;
  readonly #drafts = new Map<string, Signal<string>>();
  #hasChosen = false;
  #wasPanelOpen = true;
  #listsSinceEnd = 0;

  constructor(page: Window) {
    this.#page = page;
    const wide = page.matchMedia(`(min-width: ${WIDE_PX}px)`);
    this.isPanelOpen = signal(wide.matches);
    wide.addEventListener("change", () => this.#fitPanel(wide.matches));
    this.#readAddress();
    page.addEventListener("hashchange", () => this.#readAddress());
    page.document.addEventListener("visibilitychange", () => this.access.value?.poll.refresh());
    effect(() => this.#watchList());
  }

  signIn(token: string): void {
    keepToken(this.#page.sessionStorage, token);
    this.#hasChosen = false;
    this.access.value?.poll.stop();
    const api = createApi(token);
    this.access.value = { api, poll: pollSessions(api, () => !this.#page.document.hidden) };
    const { selection } = this;
    if (selection.value.kind !== "none") void this.#open(selection.value.session);
  }

  select(session: string | undefined): void {
    this.#page.location.hash = writeFragment(session);
  }

  selectLane(lane: string): void {
    const { value } = this.selection;
    if (value.kind === "open") this.#show(value.detail, lane);
  }

  draftOf({ session, lane }: LanePlace): Signal<string> {
    const key = `${session}/${lane}`;
    const draft = this.#drafts.get(key) ?? signal("");
    this.#drafts.set(key, draft);
    return draft;
  }

  /** The token is taken out of the address at once, so that no history and no copied link holds it. */
  #readAddress(): void {
    const { token, session } = readFragment(this.#page.location.hash);
    const kept = token ?? (this.access.value === undefined ? loadToken(this.#page.sessionStorage) : undefined);
    if (token !== undefined) this.#page.history.replaceState(null, "", writeFragment(session));
    if (kept !== undefined) this.signIn(kept);
    if (session === undefined) this.#close();
    else if (this.selection.value.kind === "none" || this.selection.value.session !== session) void this.#open(session);
  }

  // Where there is no room beside the transcript the panel lies over it: that is for a person to ask for.
  #fitPanel(isWide: boolean): void {
    if (!isWide) this.#wasPanelOpen = this.isPanelOpen.value;
    this.isPanelOpen.value = isWide && this.#wasPanelOpen;
  }

  async #open(session: string): Promise<void> {
    this.#close();
    const mine: Selection = { kind: "opening", session };
    this.selection.value = mine;
    const api = this.access.value?.api;
    if (api === undefined) return;
    try {
      const detail = await api.session(session);
      if (this.selection.value === mine) this.#show(detail, "main");
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : new ApiError("internal", String(thrown));
      if (this.selection.value !== mine) return;
      this.selection.value = { kind: "failed", session, error };
      if (error.code === "unreachable" || error.code === "unavailable") this.#openLater(session);
    }
  }

  #openLater(session: string): void {
    const failed = this.selection.value;
    setTimeout(() => {
      if (this.selection.value === failed) void this.#open(session);
    }, OPEN_AGAIN_MS);
  }

  #show(detail: SessionDetail, wanted: string): void {
    const api = this.access.value?.api;
    const { id } = detail.lanes.find((lane) => lane.id === wanted) ?? detail.lanes[0] ?? { id: "main" };
    if (api === undefined) return;
    this.#close();
    const nextFrame = (draw: () => void): void => void this.#page.requestAnimationFrame(draw);
    const encoder = new TextEncoder();
    const lane = openLane({
      api,
      place: { session: detail.id, lane: id },
      nextFrame,
      encode: (text) => encoder.encode(text),
    });
    this.selection.value = { kind: "open", session: detail.id, detail, lane };
  }

  #close(): void {
    if (this.selection.value.kind === "open") this.selection.value.lane.stop();
    this.selection.value = { kind: "none" };
  }

  #filtered(): readonly SessionSummary[] {
    const words = this.filter.value.toLowerCase().split(/\s+/);
    const sessions = this.access.value?.poll.list.value?.sessions ?? [];
    return sessions.filter(({ id, title, state }) => {
      const text = `${id} ${title} ${state}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  /** What the list tells about the access and about the session that is shown. */
  #watchList(): void {
    const { access, refused } = this;
    const poll = access.value?.poll;
    if (poll?.problem.value?.code === "unauthorized") {
      poll.stop();
      keepToken(this.#page.sessionStorage, undefined);
      refused.value = "wrong token";
      access.value = undefined;
      return;
    }
    const list = poll?.list.value;
    if (list === undefined || poll?.problem.value !== undefined) return;
    this.#followWhatGoesOn(list);
    this.#chooseFirst(list.sessions);
  }

  /** Who comes without having chosen sees what runs, or the newest; who leaves it is not brought back. */
  #chooseFirst(sessions: readonly SessionSummary[]): void {
    const [newest] = sessions;
    if (newest === undefined || this.#hasChosen) return;
    this.#hasChosen = true;
    if (this.selection.peek().kind !== "none") return;
    const { id } = sessions.find(({ state }) => state === "running") ?? newest;
    this.#page.location.replace(writeFragment(id));
  }

  /**
   * A stream that ended begins again when another process takes the session up. The first list after the end may have
   * been made before it.
   */
  #followWhatGoesOn({ sessions }: SessionList): void {
    const selected = this.selection.peek();
    const isOver = selected.kind === "open" && selected.lane.connection.peek().state === "ended";
    this.#listsSinceEnd = isOver ? this.#listsSinceEnd + 1 : 0;
    if (!isOver || this.#listsSinceEnd < 2 || selected.lane.connection.peek().why !== undefined) return;
    if (sessions.find(({ id }) => id === selected.session)?.state !== "running") return;
    selected.lane.followAgain();
    void this.#readAgain(selected.lane);
  }

  /** What can be said to a session is another matter with each process that works on it. */
  async #readAgain(lane: OpenLane): Promise<void> {
    const detail = await this.access.value?.api.session(lane.place.session).catch(() => undefined);
    const { value } = this.selection;
    if (detail !== undefined && value.kind === "open" && value.lane === lane)
      this.selection.value = { ...value, detail };
  }
}
