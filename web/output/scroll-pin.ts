/** Keeps the end of a scrolled box in view until a person scrolls up, and again once they come back to the end. */
export interface ScrollPin {
  readonly isPinned: boolean;
  /** To be called after the content changed. */
  settle(): void;
  /** Goes to the end and stays there. */
  pin(): void;
  stop(): void;
}

export interface PinListener {
  readonly onChange?: (isPinned: boolean) => void;
  /** Called when a person has scrolled up as far as there is content. */
  readonly onTop?: () => void;
}

const NEAR_PX = 24;
const NEAR_TOP_PX = 80;

export function createScrollPin(box: HTMLElement, content: Element, listener: PinListener): ScrollPin {
  let isPinned = true;
  let lastTop = 0;
  const set = (next: boolean): void => {
    if (next === isPinned) return;
    isPinned = next;
    listener.onChange?.(isPinned);
  };
  const toEnd = (): void => {
    box.scrollTop = box.scrollHeight;
    lastTop = box.scrollTop;
  };
  const onScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = box;
    if (scrollHeight - scrollTop - clientHeight < NEAR_PX) set(true);
    // Content that grows moves nothing up: only a person does.
    else if (scrollTop < lastTop - 1) set(false);
    lastTop = scrollTop;
    if (!isPinned && scrollTop < NEAR_TOP_PX) listener.onTop?.();
  };
  const settle = (): void => {
    if (isPinned) toEnd();
  };
  const observer = new ResizeObserver(settle);
  observer.observe(content);
  observer.observe(box);
  box.addEventListener("scroll", onScroll, { passive: true });
  toEnd();
  return {
    get isPinned() {
      return isPinned;
    },
    settle,
    pin() {
      set(true);
      toEnd();
    },
    stop() {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    },
  };
}
