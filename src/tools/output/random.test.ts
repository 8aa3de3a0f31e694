import fc from "fast-check";
import { expect, test } from "vitest";
import { isBase } from "../../delta/index.js";
import type { ShellOutputUpdate } from "../../exec/index.js";
import { bindEnv } from "../env/bound-env.js";
import { ToolError } from "../errors.js";
import { openSink } from "../fixtures/consumed-sink.js";
import type { ConsumedSink } from "../fixtures/consumed-sink.js";
import { calls } from "../fixtures/random-calls.js";
import type { Call, Step, Style } from "../fixtures/random-calls.js";
import { bytes, splitLines } from "../fixtures/reference-window.js";
import { createReplayEnv } from "../fixtures/replay-env.js";
import { MAX_NOTICE_BYTES } from "./notice.js";

const RUNS = process.env["CI"] === "true" ? 2_000 : 150;

/** Calls that are tried first: hard cases, and what a run finds from now on. */
const kept: [Call][] = [
  [
    {
      limits: { retain: "tail", maxBytes: 20, maxLines: 5 },
      steps: [
        { kind: "write", text: "\uD83E" },
        { kind: "write", text: "\uDD8A" },
        { kind: "slide", drop: 1, text: "x" },
        { kind: "exec", style: "seed", portions: ["half\r", "w".repeat(30), "\n"], chatter: "\uDD8A" },
      ],
    },
  ],
  [
    {
      limits: { retain: "both", maxBytes: 20, maxLines: 5 },
      steps: [
        { kind: "exec", style: "writes", portions: ["a\n".repeat(9), "🦊".repeat(6)], chatter: "" },
        { kind: "replace", text: "" },
        { kind: "exec", style: "edits", portions: ["same line\n", "same line\n", "same line\n"], chatter: "\n" },
      ],
    },
  ],
];

test(
  "[T6] whatever a tool does, the batches fold to the state after every flush, and no cap is ever exceeded",
  { timeout: 300_000 },
  async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(calls, async ({ limits, steps }) => {
      const call = openSink(limits);
      call.sink.flush();
      for (const step of steps) {
        await take(call, step);
        check(call);
        seen.add(step.kind);
      }
      call.sink.settle(steps.length % 2 === 0 ? undefined : new Error("failed 🦊"));
      check(call);
      expect(call.batches.slice(1).some(isBase)).toBe(false);
      if (call.sink.snapshot().truncation.truncated) seen.add("cut");
      if (call.notice() !== undefined) seen.add("said");
    });

    await fc.assert(property, { numRuns: RUNS, examples: kept });

    expect([...seen].sort()).toEqual(
      [
        "cut",
        "details",
        "exec",
        "flush",
        "image",
        "notice",
        "replace",
        "said",
        "slide",
        "usage",
        "wait",
        "write",
      ].sort(),
    );
  },
);

async function take({ sink, clock }: ConsumedSink, step: Step): Promise<void> {
  const { out } = sink;
  if (step.kind === "write") out.write(step.text);
  else if (step.kind === "replace") out.replace(step.text);
  else if (step.kind === "notice") out.notice(step.text);
  else if (step.kind === "slide") slide(sink, step.drop, step.text);
  else if (step.kind === "details") out.details = { value: step.value };
  else if (step.kind === "image") out.image({ type: "image", mediaType: "image/png", data: "AAAA" });
  else if (step.kind === "usage") out.usage({ inputTokens: 1 });
  else if (step.kind === "wait") clock.advance(step.ms);
  else if (step.kind === "exec") await execute(sink, step);
  sink.flush();
}

/** A drop beyond the text, into a character, or where a cut lies is refused; anything else is a fault. */
function slide(sink: ConsumedSink["sink"], drop: number, text: string): void {
  try {
    sink.out.slide(drop, text);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "invalid_argument") throw error;
  }
}

async function execute(sink: ConsumedSink["sink"], step: Step & { kind: "exec" }): Promise<void> {
  const env = bindEnv(createReplayEnv({ portions: step.portions }), sink, { signal: new AbortController().signal });
  let view = "";
  await env.exec("x", {
    onUpdate: (update) => {
      view = fold(view, update);
      show(sink, step.style, update, view);
      if (step.chatter !== "") sink.out.write(step.chatter);
    },
  });
}

function fold(view: string, update: ShellOutputUpdate): string {
  if (update.kind === "replace") return update.output.text;
  if (update.kind === "metadata" || update.block === 1) return view;
  return view.slice(update.kind === "slide" ? update.drop : 0) + update.text;
}

function show({ out }: ConsumedSink["sink"], style: Style, update: ShellOutputUpdate, view: string): void {
  if (update.kind === "metadata") {
    if (style === "replaces") out.replace(view);
    return;
  }
  if (style === "replaces" || (update.kind === "replace" && style !== "writes")) out.replace(view);
  else if (update.kind === "replace") out.write(update.output.text);
  else if (update.kind === "append" || style === "writes") out.write(update.text);
  else if (style === "seed") out.replace(view);
  else slideEnv(out, update);
}

// A tool that chatters beside its env no longer knows its own text; then a drop may be refused.
function slideEnv(out: ConsumedSink["sink"]["out"], update: ShellOutputUpdate & { kind: "slide" }): void {
  try {
    out.slide(update.drop, update.text);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
}

function check({ sink, folded }: ConsumedSink): void {
  sink.flush();
  const state = sink.snapshot();
  expect(folded()).toEqual(state);
  const texts = state.content.flatMap((block) => (block.type === "text" ? [block] : []));
  const text = texts.filter(({ notice }) => notice === undefined).map((block) => block.text);
  const notice = texts.filter(({ notice }) => notice === true).map((block) => block.text);
  const { maxBytes, maxLines } = sink.limits;
  const lines = text.reduce((sum, block) => sum + splitLines(block).length, 0);
  expect(bytes(text.join(""))).toBeLessThanOrEqual(maxBytes);
  expect(lines).toBeLessThanOrEqual(maxLines);
  expect(notice.length).toBeLessThanOrEqual(1);
  expect(bytes(notice.join(""))).toBeLessThanOrEqual(MAX_NOTICE_BYTES);
  for (const one of [...text, ...notice]) expect(Buffer.from(one).toString()).toBe(one);
}
