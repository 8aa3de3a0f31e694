import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chatFacet } from "../../../src/facet/index.js";
import type { ChatState } from "../../../src/facet/index.js";
import { readLane, toLaneView } from "../../../src/harness/index.js";
import type { StoredLane } from "../../../src/harness/index.js";
import { createJsonlStorage } from "../../../src/storage/index.js";
import { parseLines } from "./built-cli.js";
import type { CliStage } from "./built-cli.js";

/** The sessions as `spillway sessions --json` lists them. */
export async function listSessions(stage: CliStage): Promise<Record<string, unknown>[]> {
  const { stdout } = await stage.call(["sessions", "--all", "--json"]);
  return stdout === "" ? [] : parseLines(stdout);
}

/** The id of the one session that the stage has. */
export async function findSession(stage: CliStage): Promise<string> {
  const sessions = await listSessions(stage);
  if (sessions.length !== 1) throw new Error(`there are ${sessions.length} sessions`);
  return String(sessions[0]?.["session"]);
}

/** Waits until a process has the stage's one session, and gives its id. */
export async function appearanceOfSession(stage: CliStage): Promise<string> {
  for (;;) {
    const [id] = listState(stage, "run").flatMap((name) => /^(\w+)\.json$/.exec(name)?.[1] ?? []);
    if (id !== undefined) return id;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Names of files in a folder of the state, such as `sessions`. */
export function listState(stage: CliStage, folder: string): string[] {
  const path = join(stage.home, "state", folder);
  return existsSync(path) ? readdirSync(path).sort() : [];
}

export function readState(stage: CliStage, ...path: string[]): string {
  return readFileSync(join(stage.home, "state", ...path), "utf8");
}

/** What the files of the stage's one session hold of its main lane; undefined where there is no session. */
export async function readStored(stage: CliStage): Promise<StoredLane | undefined> {
  const [id] = listState(stage, "sessions").flatMap((name) => /^([^.]+)\.jsonl$/.exec(name)?.[1] ?? []);
  if (id === undefined) return undefined;
  const reader = await createJsonlStorage({ folder: join(stage.home, "state", "sessions") }).read(id);
  try {
    return await readLane(reader, "main");
  } finally {
    await reader.close();
  }
}

/** The chat that a viewer of the stage's one session ends with, if it sees what is stored. */
export async function readStoredChat(stage: CliStage): Promise<ChatState> {
  const lane = await readStored(stage);
  if (lane === undefined) throw new Error("there is no session");
  const { id = "", status = "running", reason } = lane.record ?? {};
  const end = reason === undefined ? {} : { reason };
  return { ...chatFacet.initial(toLaneView(lane)), operation: { id, state: status, ...end } };
}
