import type { Viewer } from "./viewer.js";

/** The keys, for the help and for whoever reads this: each does what its button does. */
export const KEYS: readonly (readonly [keys: readonly string[], action: string])[] = [
  [["j", "↓"], "next session"],
  [["k", "↑"], "previous session"],
  [["Enter"], "open the session in focus"],
  [["/"], "filter sessions"],
  [["b"], "show or hide the batches"],
  [["e"], "load earlier items"],
  [["a"], "go to the call that waits for approval"],
  [["m"], "write a message"],
  [["End"], "go to the newest output and stay there"],
  [["Esc"], "close, clear, or go back to the list"],
  [["?"], "this help"],
];

export const FILTER_ID = "filter";
export const LIST_ID = "sessions";
export const TRANSCRIPT_ID = "transcript";
export const MESSAGE_ID = "message";
/** Told to the transcript, which knows how. */
export const PIN_EVENT = "spillway-pin";

/** Listens to the page's keys until the signal is aborted. */
export function listenToKeys(page: Document, viewer: Viewer, signal: AbortSignal): void {
  page.addEventListener("keydown", (event) => onKey(page, viewer, event), { signal });
}

function onKey(page: Document, viewer: Viewer, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (event.key === "Escape") {
    leave(page, viewer);
    return;
  }
  const { target } = event;
  const isFromFilter = event.key === "ArrowDown" && target === page.getElementById(FILTER_ID);
  if (isField(target) && !isFromFilter) return;
  // In a box that scrolls, these scroll it.
  const isScrolling = target instanceof HTMLElement && target.closest(".output, .preview-text") !== null;
  if (isScrolling && /^(Arrow|End$)/.test(event.key)) return;
  if (act(page, viewer, event.key)) event.preventDefault();
}

function act(page: Document, viewer: Viewer, key: string): boolean {
  switch (key) {
    case "j":
    case "ArrowDown":
      return moveFocus(page, 1);
    case "k":
    case "ArrowUp":
      return moveFocus(page, -1);
    case "/":
      page.getElementById(FILTER_ID)?.focus();
      return true;
    case "?":
      viewer.isHelpOpen.value = !viewer.isHelpOpen.value;
      return true;
    case "b":
      viewer.isPanelOpen.value = !viewer.isPanelOpen.value;
      return true;
    case "e":
      if (viewer.selection.value.kind === "open") void viewer.selection.value.lane.loadOlder();
      return true;
    case "a":
      return focusOn(page.querySelector(".approval .is-allow"));
    case "m":
      return focusOn(page.getElementById(MESSAGE_ID));
    case "End":
      page.getElementById(TRANSCRIPT_ID)?.dispatchEvent(new Event(PIN_EVENT));
      return true;
    default:
      return false;
  }
}

function focusOn(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

/** What takes the keys for itself. */
function isField(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

function moveFocus(page: Document, step: number): boolean {
  const links = [...page.querySelectorAll<HTMLAnchorElement>(`#${LIST_ID} a`)];
  if (links.length === 0) return false;
  const focused = links.findIndex((link) => link === page.activeElement);
  const current = focused === -1 ? links.findIndex((link) => link.ariaCurrent === "page") : focused;
  const next = current === -1 ? (step > 0 ? 0 : links.length - 1) : current + step;
  links[Math.min(links.length - 1, Math.max(0, next))]?.focus();
  return true;
}

function leave(page: Document, viewer: Viewer): void {
  const filter = page.getElementById(FILTER_ID);
  if (viewer.isHelpOpen.value) {
    viewer.isHelpOpen.value = false;
  } else if (viewer.isPanelOpen.value && isOverlay(page.querySelector(".batches"))) {
    viewer.isPanelOpen.value = false;
  } else if (filter === page.activeElement) {
    viewer.filter.value = "";
    filter?.blur();
  } else if (isField(page.activeElement)) {
    // What was written stays.
    page.activeElement.blur();
  } else if (viewer.filter.value !== "") {
    viewer.filter.value = "";
  } else {
    viewer.select(undefined);
  }
}

/** Where there is no room for it, the panel lies over the transcript. */
function isOverlay(panel: Element | null): boolean {
  return panel !== null && getComputedStyle(panel).position === "fixed";
}
