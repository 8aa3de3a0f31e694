import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type { ProcessInfo } from "../../contract.js";
import { markersIn } from "./marker.js";
import { MAX_COMMAND_LENGTH } from "./process-table.js";
import type { ProcessTable, TableProcess } from "./process-table.js";

/** Processes looked at before other work gets its turn: about a millisecond. */
const SLICE = 64;
/** Clock ticks in a second, as Linux shows them to programs on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The table of a Linux kernel, read from its files. `root` is where they are mounted. */
export function createProcTable(root = "/proc"): ProcessTable {
  return {
    async list(query) {
      const found: TableProcess[] = [];
      let looked = 0;
      for (const pid of candidates(root, query.newerThan)) {
        const process = readProcess(root, pid);
        if (process !== undefined && process.started >= query.since) found.push(process);
        looked += 1;
        if (looked % SLICE === 0) await new Promise(setImmediate);
      }
      return found;
    },
    startOf: (pid) => readStat(root, pid)?.started ?? 0,
    // Rounded, because 0.29 times 100 is a little less than 29: a process that has just started would be of the future.
    now: () => Math.round(Number(readFileSync(`${root}/uptime`, "latin1").split(" ")[0]) * TICKS_PER_SECOND),
  };
}

function candidates(root: string, newerThan: number | undefined): readonly number[] {
  const newest = newerThan === undefined ? 0 : newestPid(root);
  if (newerThan !== undefined && newest >= newerThan && newest - newerThan <= SLICE) {
    return Array.from({ length: newest - newerThan }, (_, offset) => newerThan + 1 + offset);
  }
  const all = readdirSync(root).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  if (newerThan === undefined || newest === 0) return all;
  // Ids are given in rising order and start again from the bottom.
  return all.filter((pid) =>
    newest >= newerThan ? pid > newerThan && pid <= newest : pid > newerThan || pid <= newest,
  );
}

/** The id given last, or 0 where the kernel does not say. */
function newestPid(root: string): number {
  const newest = Number(readText(`${root}/loadavg`)?.trim().split(" ").at(-1));
  return Number.isInteger(newest) ? newest : 0;
}

function readProcess(root: string, pid: number): (TableProcess & { readonly started: number }) | undefined {
  const stat = readStat(root, pid);
  if (stat === undefined || stat.state === "Z" || stat.state === "X") return undefined;
  const { parent, group, session, started } = stat;
  return {
    pid,
    parent,
    group,
    session,
    started,
    markers: () => markersIn(readText(`${root}/${pid}/environ`)?.split("\0") ?? []),
    isFirst: () => /^NSpid:\t\d+\t1$/m.test(readText(`${root}/${pid}/status`) ?? ""),
    holds: (pipes) => holdsPipe(`${root}/${pid}/fd`, pipes),
    describe: () => describe(root, pid),
  };
}

interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly started: number;
}

function readStat(root: string, pid: number): Stat | undefined {
  const text = readText(`${root}/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name stands in parentheses and may itself hold spaces and parentheses, so fields count from the last one.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state = "X", parent, group, session] = fields;
  return {
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started: Number(fields[19]),
  };
}

function holdsPipe(folder: string, pipes: ReadonlySet<string>): boolean {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return false;
  }
  return names.some((name) => {
    try {
      // Most descriptors are told apart by their link alone, without touching a file system that may hang.
      if (readlinkSync(`${folder}/${name}`).startsWith("/dev/")) return false;
      const { dev, ino } = statSync(`${folder}/${name}`);
      return pipes.has(`${dev}:${ino}`);
    } catch {
      return false;
    }
  });
}

function describe(root: string, pid: number): ProcessInfo {
  const line = readText(`${root}/${pid}/cmdline`)?.replaceAll("\0", " ").trim() ?? "";
  const command = line === "" ? `[${readText(`${root}/${pid}/comm`)?.trim() ?? "gone"}]` : line;
  return { pid, command: command.slice(0, MAX_COMMAND_LENGTH) };
}

/** Undefined for a process that has ended meanwhile or belongs to somebody else. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
