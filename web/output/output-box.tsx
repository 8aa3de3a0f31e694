import { useLayoutEffect, useRef } from "preact/hooks";
import type { TextTrack } from "../lane/row-changes.js";
import { createScrollPin } from "./scroll-pin.js";
import type { ScrollPin } from "./scroll-pin.js";
import { TextSurface } from "./text-surface.js";

export interface OutputBoxProps {
  readonly text: string;
  readonly track: TextTrack;
  readonly label: string;
  readonly isTall: boolean;
}

/** A bounded text in a box of its own, which follows its end. */
export function OutputBox({ text, track, label, isTall }: OutputBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const drawn = useRef<{ surface: TextSurface; pin: ScrollPin } | undefined>(undefined);
  useLayoutEffect(() => {
    if (box.current === null || content.current === null) return undefined;
    const pin = createScrollPin(box.current, content.current, {});
    drawn.current = { surface: new TextSurface(content.current), pin };
    return () => pin.stop();
  }, []);
  useLayoutEffect(() => {
    drawn.current?.surface.show(text, track);
    drawn.current?.pin.settle();
  });
  return (
    <div class={isTall ? "output is-tall" : "output"} ref={box} tabIndex={0} role="region" aria-label={label}>
      <div class="output-text" ref={content} />
    </div>
  );
}
