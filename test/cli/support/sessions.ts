import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseLines } from "./built-cli.js";
import type { CliStage } from "./built-cli.js";

/** The sessions as `spillway sessions --json` lists them. */
export async function listSessions(stage: CliStage): Promise<Record<string, unknown>[]> {
  const { stdout } = await stage.start(["sessions", "--all", "--json"]).ended;
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
