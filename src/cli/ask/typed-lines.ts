import { closeSync, openSync } from "node:fs";
import { createInterface, emitKeypressEvents } from "node:readline";
import { ReadStream } from "node:tty";
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

const TERMINAL = "/dev/tty";

/** Whether this process has a terminal that it can read, though its standard input may be something else. */
export function canType({ signals }: Pick<CliContext, "signals">): boolean {
  if (signals.stdin?.isTTY) return true;
  try {
    closeSync(openSync(TERMINAL, "r"));
    return true;
  } catch {
    return false;
  }
}

function openTerminal({ signals }: Pick<CliContext, "signals">): ReadStream {
  return signals.stdin.isTTY ? signals.stdin : new ReadStream(openSync(TERMINAL, "r"));
}

/** Each key as it is pressed, shown by whoever draws the screen. */
export function openKeyLines({ signals, stdout }: Pick<CliContext, "signals" | "stdout">): TypedLines {
  const stdin = openTerminal({ signals });
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
      // It would keep the process alive.
      stdin.destroy();
    },
  };
}

/** Whole lines, from a terminal that cannot be drawn on. */
export function openWholeLines({ signals }: Pick<CliContext, "signals">): TypedLines {
  const stdin = openTerminal({ signals });
  const lines = createInterface({ input: stdin, terminal: false });
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
      stdin.destroy();
    },
  };
}
