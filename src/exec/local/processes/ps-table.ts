import { execFile } from "node:child_process";
import { markersIn } from "./marker.js";
import { MAX_COMMAND_LENGTH } from "./process-table.js";
import type { ProcessTable, TableProcess } from "./process-table.js";

/** Environments of all processes, of which some hold a megabyte. */
const MAX_LISTING_BYTES = 256 * 1_048_576;
const COLUMNS = "pid=,ppid=,pgid=,stat=,command=";

/**
 * The table as the `ps` program gives it, for systems without the kernel's files. It names no start times, sessions or
 * open pipes; the environment follows the command line, so a command that prints its own marker as an argument counts too.
 */
export function createPsTable(platform: NodeJS.Platform): ProcessTable {
  const args = platform === "darwin" ? ["-A", "-E", "-ww", "-o", COLUMNS] : ["axeww", "-o", COLUMNS];
  return {
    list: async () => parseListing(await listing(args)),
    startOf: () => 0,
    now: () => 0,
  };
}

function listing(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("ps", args, { maxBuffer: MAX_LISTING_BYTES, encoding: "utf8" }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}

export function parseListing(text: string): TableProcess[] {
  return text.split("\n").flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = "", command = ""] = match;
    if (state.startsWith("Z")) return [];
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        markers: () => markersIn(command.split(" ")),
        isFirst: () => false,
        holds: () => false,
        describe: () => ({ pid: Number(pid), command: command.trim().slice(0, MAX_COMMAND_LENGTH) }),
      },
    ];
  });
}
