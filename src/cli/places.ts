import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { SessionId } from "../protocol/index.js";
import { CliError, describeFailure } from "./failure.js";

/** What of the process decides where state lies. */
export interface PlacesInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
  /** The system's folder for temporary files. */
  readonly temporary: string;
  /** The user's number. */
  readonly user: number;
}

/** Where spillway keeps what outlives a process. */
export interface Places {
  /** `$SPILLWAY_HOME`, or the folder that the platform has for programs' state. */
  readonly state: string;
  /** Where the logs of all sessions lie. */
  readonly sessions: string;
  /** What the process that writes a session says of itself while it lives. */
  readonly runFile: (session: SessionId) => string;
  /** Where the process that writes a session listens: short, as sockets need it, and the same each time. */
  readonly socket: (session: SessionId) => string;
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
    socket: (session) => join(runtimeFolder(input), `${shortHash(`${state}\n${session}`)}.sock`),
    spills: join(state, "spill"),
    spillFolder: (session) => join(state, "spill", session),
  };
}

function stateFolder({ environment, platform, home, cwd }: PlacesInput): string {
  const own = environment["SPILLWAY_HOME"];
  if (own !== undefined && own !== "") return resolve(cwd, own);
  if (!isAbsolute(home)) {
    const problem = home === "" ? "HOME is not set" : `HOME is "${home}", which is no absolute path`;
    throw new CliError("state_folder", `there is no state folder: ${problem}; set SPILLWAY_HOME to a folder of yours`);
  }
  if (platform === "darwin") return join(home, "Library", "Application Support", "spillway");
  const base = environment["XDG_STATE_HOME"];
  // The XDG rules say that a relative path is to be ignored.
  return base?.startsWith("/") === true ? join(base, "spillway") : join(home, ".local", "state", "spillway");
}

/** The folder that the system has for what lives as long as its user is logged in, or one of the user's own. */
function runtimeFolder({ environment, temporary, user }: PlacesInput): string {
  const runtime = environment["XDG_RUNTIME_DIR"];
  return runtime?.startsWith("/") === true ? join(runtime, "spillway") : join(temporary, `spillway-${user}`);
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

/** Makes a folder, private and with its parents. One that is there stays as it is: it may hold more than ours. */
export function makeFolder(path: string): void {
  telling(path, () => {
    // Not `recursive`: below /proc that goes on for ever.
    for (const missing of findMissing(path)) makeOne(missing);
    if (!statSync(path).isDirectory()) throw new Error("it is not a folder");
  });
}

/** Makes a folder of spillway's own, which only its owner can look into, also where it was there before. */
export function makePrivateFolder(path: string): void {
  makeFolder(path);
  telling(path, () => {
    const { uid, mode } = statSync(path);
    const user = process.getuid?.() ?? uid;
    if (uid !== user) throw new Error(`it belongs to user ${uid}, and this is user ${user}`);
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
  });
}

function telling(path: string, make: () => void): void {
  try {
    make();
  } catch (cause) {
    const { message } = describeFailure(cause);
    throw new CliError(
      "state_folder",
      `cannot use the folder ${path}: ${message}; set SPILLWAY_HOME to a folder that you own and can write`,
      { cause },
    );
  }
}

/** The folders on the way to `path` that are not there, the outermost first. */
function findMissing(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path) return [];
  return [...findMissing(dirname(path)), path];
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another start has made it meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
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
