import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolCallId } from "../../src/protocol/index.js";

/** The folder of one session that is tried, and what lies where in it. All that is checked is read from there. */
export interface World {
  readonly folder: string;
  /** The state folder: sessions, spills, and what the exec host says of itself. */
  readonly state: string;
  readonly sessions: string;
  readonly session: string;
}

export const SESSION = "soak";

export function worldAt(folder: string): World {
  const state = join(folder, "state");
  return { folder, state, sessions: join(state, "sessions"), session: SESSION };
}

export function makeWorld(folder: string): World {
  const world = worldAt(folder);
  for (const path of [world.sessions, marksFolder(world)]) mkdirSync(path, { recursive: true, mode: 0o700 });
  return world;
}

/** Each life of the harness listens on an address of its own, so that a viewer knows whose messages it was sent. */
export function socketOf({ folder }: World, life: number): string {
  return join(folder, `${life}.sock`);
}

export const TOKENS = { view: "soak-view-token-of-a-test", control: "soak-control-token-of-a-test" };

/** What the harness's own process knows to be true, a line for each: it outlives a `kill -9` of whoever wrote it. */
export type Note =
  | {
      readonly type: "opened";
      readonly life: number;
      readonly views: Readonly<Record<string, string>>;
      readonly policy: string;
    }
  | { readonly type: "prompting"; readonly lane: string; readonly plan: string }
  | { readonly type: "prompted"; readonly lane: string; readonly operation: string; readonly plan: string }
  | { readonly type: "called"; readonly lane: string; readonly call: ToolCallId }
  | { readonly type: "queued"; readonly lane: string; readonly id: string }
  | { readonly type: "withdrawing"; readonly id: string }
  | { readonly type: "withdrawn"; readonly id: string }
  | { readonly type: "decided"; readonly call: ToolCallId; readonly decision: "allow" | "deny" }
  | {
      readonly type: "forked";
      readonly from: string;
      readonly to: string;
      readonly entry: string;
      readonly prefix: string;
    }
  | { readonly type: "aborting"; readonly lane: string; readonly operation: string }
  | { readonly type: "aborted"; readonly operation: string; readonly ms: number }
  | { readonly type: "settled"; readonly lane: string; readonly operation: string; readonly status: string }
  | { readonly type: "told"; readonly lane: string; readonly entry: string }
  /** What a request to the model said of a call. */
  | { readonly type: "asked"; readonly call: ToolCallId; readonly content: string }
  | { readonly type: "closed"; readonly life: number }
  | { readonly type: "violation"; readonly rule: string; readonly place: string };

const notesFile = ({ folder }: World): string => join(folder, "notes.jsonl");

export function writeNote(world: World, note: Note): void {
  appendFileSync(notesFile(world), `${JSON.stringify(note)}\n`);
}

export function readNotes(world: World): readonly Note[] {
  return readLines(notesFile(world)) as readonly Note[];
}

/** A facet's value after a message, as the host or a viewer has it. */
export interface Sight {
  readonly life: number;
  readonly lane: string;
  readonly facet: string;
  readonly seq: number;
  readonly value: string;
  /** Whether it is the last that there is. */
  readonly last?: true;
}

export type Side = "host" | "viewers";

export function writeSight(world: World, side: Side, sight: Sight): void {
  appendFileSync(join(world.folder, `${side}.jsonl`), `${JSON.stringify(sight)}\n`);
}

export function readSights(world: World, side: Side): readonly Sight[] {
  return readLines(join(world.folder, `${side}.jsonl`)) as readonly Sight[];
}

const marksFolder = ({ folder }: World): string => join(folder, "marks");

/** Shell text that leaves a mark. */
export function markCommand(world: World, tag: string): string {
  return `echo run >> '${join(marksFolder(world), tag)}'`;
}

export function leaveMark(world: World, tag: string, mark: string): void {
  appendFileSync(join(marksFolder(world), tag), `${mark}\n`);
}

/** Marks by tag, each in the order in which they were left. */
export function readMarks(world: World): ReadonlyMap<string, readonly string[]> {
  const folder = marksFolder(world);
  return new Map(
    readdirSync(folder).map((tag) => [tag, readFileSync(join(folder, tag), "utf8").trimEnd().split("\n")]),
  );
}

/** A line that its writer was killed in is none. */
function readLines(path: string): readonly unknown[] {
  const text = readIfThere(path);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .flatMap(parseLine);
}

function parseLine(line: string): readonly unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // One that was torn, and the next writer went on in it.
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
