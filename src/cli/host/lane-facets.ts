import { chatFacet, createFacetHost, laneFacet } from "../../facet/index.js";
import type { ChatState, FacetHost } from "../../facet/index.js";
import type { Lane } from "../../harness/index.js";
import type { LaneView } from "../../lane/index.js";

export const FACETS = ["chat", "lane"] as const;

/** The facets of one lane at work; what nobody asks for costs nothing. */
export class LaneFacets {
  readonly #lane: Lane;
  #chat: FacetHost<ChatState> | undefined;
  #view: FacetHost<LaneView> | undefined;
  #isOver = false;

  constructor(lane: Lane) {
    this.#lane = lane;
  }

  get chat(): FacetHost<ChatState> {
    this.#chat ??= this.#follow(createFacetHost(chatFacet, () => this.#lane.view()));
    return this.#chat;
  }

  get view(): FacetHost<LaneView> {
    this.#view ??= this.#follow(createFacetHost(laneFacet, () => this.#lane.view()));
    return this.#view;
  }

  /** From here on who opens a facet gets its last state and the end. */
  end(): void {
    this.#isOver = true;
    this.#chat?.close();
    this.#view?.close();
  }

  #follow<State extends object>(host: FacetHost<State>): FacetHost<State> {
    if (this.#isOver) host.close();
    else {
      this.#lane.subscribe({
        open: () => undefined,
        receive: (group) => host.deliver(group),
        end: () => host.close(),
      });
    }
    return host;
  }
}
