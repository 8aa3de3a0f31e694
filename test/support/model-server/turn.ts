import type { ModelAnswer, ModelAnswerPart } from "../../../src/testing/index.js";

/** What the server does with one request. */
export type Turn = AnsweredTurn | RefusedTurn;

export interface AnsweredTurn {
  readonly answer: ModelAnswer;
  /** What becomes of the answer's events; default: they are sent as they are, and the response ends. */
  readonly alter?: Alteration;
}

export type Alteration = (frames: readonly string[]) => readonly Step[];

export interface RefusedTurn {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** As text where it is no JSON. */
  readonly body?: unknown;
}

/** `cut` breaks the connection off, `end` ends the response as if all was well, `stall` says nothing more. */
export type Step = { readonly send: string } | { readonly waitMs: number } | "cut" | "end" | "stall";

export function answerWith(...parts: readonly ModelAnswerPart[]): AnsweredTurn {
  return { answer: { parts } };
}

/** Sends only the events before the first that holds `mark`, and that one, and then does something else. */
export function after(mark: string, ...steps: readonly Step[]): Alteration {
  return (frames) => {
    const index = frames.findIndex((frame) => frame.includes(mark));
    if (index === -1) throw new Error(`No event holds ${mark}.`);
    return [...frames.slice(0, index + 1).map((send) => ({ send })), ...steps];
  };
}

/** Puts events between those of the answer, after the first that holds `mark`. */
export function inserted(mark: string, ...events: readonly string[]): Alteration {
  return (frames) => {
    const index = frames.findIndex((frame) => frame.includes(mark)) + 1;
    return [...frames.slice(0, index), ...events, ...frames.slice(index)].map((send) => ({ send }));
  };
}

export function dripped(waitMs: number): Alteration {
  return (frames) => frames.flatMap((send): readonly Step[] => [{ send }, { waitMs }]);
}
