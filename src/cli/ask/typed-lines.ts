import { createInterface, emitKeypressEvents } from "node:readline";
import type { CliContext } from "../context.js";
import { LineEditor } from "./line-editor.js";
import type { Key } from "./line-editor.js";

export interface TypedLinesListener {
  line(text: string): void;
  /** Ctrl-D. */
  end(): void;
  /** What is typed has changed. */
  change(): void;
}

/** What a person types at the terminal, line by line. */
export interface TypedLines {
  /** What draws the line; absent where the terminal does so itself. */
  readonly editor: LineEditor | undefined;
  listen(listener: TypedLinesListener): void;
  /** Gives the terminal back for a while, and takes it again. */
  suspend(): void;
  resume(): void;
  close(): void;
}

const PASTES_ON = "\u001b[?2004h";
const PASTES_OFF = "\u001b[?2004l";

/** Each key as it is pressed, shown by whoever draws the screen. */
export function openKeyLines({ signals, stdout }: Pick<CliContext, "signals" | "stdout">): TypedLines {
  const { stdin } = signals;
  const editor = new LineEditor();
  let listener: TypedLinesListener | undefined;
  let isOpen = true;
  const press = (typed: string | undefined, key: Key | undefined): void => {
    const pressed = editor.press(typed, key ?? {});
    if (pressed?.type === "line") listener?.line(pressed.text);
    else if (pressed?.type === "end") listener?.end();
    // As the terminal would send it: to all that stand in front of it.
    else if (pressed?.type === "signal") signals.kill(0, pressed.signal);
    listener?.change();
  };
  const take = (): void => {
    if (!isOpen) return;
    stdin.setRawMode(true);
    stdout.write(PASTES_ON);
  };
  const giveBack = (): void => {
    if (!isOpen) return;
    stdin.setRawMode(false);
    stdout.write(PASTES_OFF);
  };
  emitKeypressEvents(stdin);
  stdin.on("keypress", press);
  stdin.resume();
  take();
  return {
    editor,
    listen: (next) => (listener = next),
    suspend: giveBack,
    resume: take,
    close() {
      giveBack();
      isOpen = false;
      stdin.off("keypress", press);
      stdin.pause();
    },
  };
}

/** Whole lines, from a terminal that cannot be drawn on. */
export function openWholeLines({ signals }: Pick<CliContext, "signals">): TypedLines {
  const lines = createInterface({ input: signals.stdin, terminal: false });
  return {
    editor: undefined,
    listen(listener) {
      lines.on("line", (text) => {
        if (text.trim() !== "") listener.line(text);
      });
      lines.on("close", () => listener.end());
    },
    suspend: () => undefined,
    resume: () => undefined,
    close() {
      lines.removeAllListeners();
      lines.close();
      signals.stdin.pause();
    },
  };
}
