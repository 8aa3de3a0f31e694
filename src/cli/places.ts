import { chmodSync, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { SessionId } from "../protocol/index.js";
import { CliError, describeFailure } from "./failure.js";

/** What of the process decides where state lies. */
export interface PlacesInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
}

/** Where spillway keeps what outlives a process. */
export interface Places {
  /** `$SPILLWAY_HOME`, or the folder that the platform has for programs' state. */
  readonly state: string;
  /** Where the logs of all sessions lie. */
  readonly sessions: string;
  /** What the process that writes a session says of itself while it lives. */
  readonly runFile: (session: SessionId) => string;
  /** Where the whole outputs of all sessions lie, a folder a session. */
  readonly spills: string;
  /** Where the whole outputs of one session lie, a file an execution. */
  readonly spillFolder: (session: SessionId) => string;
}

export function findPlaces(input: PlacesInput): Places {
  const state = stateFolder(input);
  return {
    state,
    sessions: join(state, "sessions"),
    runFile: (session) => join(state, "run", `${session}.json`),
    spills: join(state, "spill"),
    spillFolder: (session) => join(state, "spill", session),
  };
}

function stateFolder({ environment, platform, home, cwd }: PlacesInput): string {
  const own = environment["SPILLWAY_HOME"];
  if (own !== undefined && own !== "") return resolve(cwd, own);
  if (platform === "darwin") return join(home, "Library", "Application Support", "spillway");
  const base = environment["XDG_STATE_HOME"];
  // The XDG rules say that a relative path is to be ignored.
  return base?.startsWith("/") === true ? join(base, "spillway") : join(home, ".local", "state", "spillway");
}

/** Makes a folder that only its owner can look into, with its parents. */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // A folder that was there before keeps its mode otherwise.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
  } catch (cause) {
    const { message } = describeFailure(cause);
    throw new CliError(
      "state_folder",
      `cannot use the state folder ${path}: ${message}; set SPILLWAY_HOME to a folder that you can write`,
      { cause },
    );
  }
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 6;

/** Such as `s_mih3k2f0_x81kqa`: sessions sort by the time of their making. */
export function createSessionId(now: number, random: () => number): SessionId {
  let id = `s_${Math.floor(now).toString(36)}_`;
  for (let i = 0; i < RANDOM_LENGTH; i += 1) id += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  return id;
}
