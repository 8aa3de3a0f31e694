import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import type { DeltaErrorCode } from "../src/delta/index.js";
import { createConsumer, createSseParser } from "../src/wire/client/index.js";
import type { ServerSentEvent } from "../src/wire/client/index.js";
import { buildCli } from "./cli/support/built-cli.js";
import { listFiles, readText, repository } from "./support/files.js";

beforeAll(buildCli, 120_000);

const files = listFiles("spec/vectors", ".json");

test("[D13] the vectors are what their program makes; after a change of it or of what it records: node scripts/make-vectors.mjs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "spillway-vectors-"));

  await promisify(execFile)(process.execPath, [join(repository, "scripts/make-vectors.mjs"), folder]);

  expect(files.length).toBeGreaterThan(10);
  for (const path of files) {
    const made = readFileSync(join(folder, path.slice("spec/vectors/".length)), "utf8");
    expect(made === readText(path), `${path} is as made`).toBe(true);
  }
  await rm(folder, { recursive: true });
});

/** Which codes the vectors must hold; the others cannot come of JSON. */
const inVectors: Record<DeltaErrorCode, boolean> = {
  not_a_batch: true,
  unknown_verb: true,
  wrong_arity: true,
  bad_path: true,
  refused_segment: true,
  misplaced_base: true,
  root_op: true,
  bad_count: true,
  bad_index: true,
  not_text: true,
  not_items: true,
  bad_path_id: true,
  unknown_path_id: true,
  no_previous_path: true,
  no_value: true,
  missing_target: true,
  wrong_target: true,
  out_of_range: true,
  unwritable: false,
  not_json: true,
  cycle: false,
  too_deep: true,
  hole: false,
  split_character: false,
};

test("[D10] [D13] the vectors hold every code that apply and decode can give for JSON", () => {
  const texts = files.filter((path) => !path.includes("/consumer/")).map(readText);
  const codes = texts.flatMap((text) =>
    Array.from(text.matchAll(/"error":\{"code":"(\w+)"/g), ([, code = ""]) => code),
  );

  const expected = Object.entries(inVectors).flatMap(([code, isHeld]) => (isHeld ? [code] : []));
  expect([...new Set(codes)].sort()).toEqual(expected.sort());
});

interface MessageStep {
  readonly restart?: true;
  readonly message?: unknown;
  readonly value?: unknown;
  readonly seq?: number;
  readonly needsBase?: boolean;
  readonly error?: string;
}

interface MessageCase {
  readonly name: string;
  readonly steps: readonly MessageStep[];
}

test.each(read<MessageCase>("consumer/messages"))("[C2] [D13] a consumer takes messages: $name", ({ steps }) => {
  const consumer = createConsumer<unknown>();
  for (const { restart, message, value, seq, needsBase, error } of steps) {
    if (restart === true) {
      consumer.restart();
      continue;
    }
    consumer.receive(message);
    const last = error ?? consumer.error?.code;
    const { value: held, seq: number, needsBase: isDue, error: doubt } = consumer;
    expect([held, number, isDue, doubt?.code]).toEqual([value, seq, needsBase, last]);
  }
});

interface EventCase {
  readonly name: string;
  readonly stream: string;
  readonly events: readonly ServerSentEvent[];
}

test.each(read<EventCase>("consumer/events"))(
  "[C1] [D13] events are read out of bytes: $name",
  ({ stream, events }) => {
    const bytes = new TextEncoder().encode(stream);
    for (const width of [1, 2, 3, 7, bytes.length + 1]) {
      const parser = createSseParser();
      const seen: ServerSentEvent[] = [];
      for (let at = 0; at < bytes.length; at += width) seen.push(...parser.push(bytes.subarray(at, at + width)));
      expect(seen).toEqual(events);
    }
  },
);

function read<Case>(name: string): Case[] {
  return JSON.parse(readText(`spec/vectors/${name}.json`)) as Case[];
}
