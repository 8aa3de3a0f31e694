import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { count, name, record, string } from "../link/checks.js";

/** What a daemon says of itself to those who may read its folder. */
export interface HostFile {
  readonly pid: number;
  readonly hostId: string;
  readonly bootId: string;
  /** The path of its socket. */
  readonly socket: string;
  /** What has to be said there first. */
  readonly token: string;
}

const check = record({ pid: count, hostId: name, bootId: string, socket: string, token: string });

/** Where a daemon keeps what it says and who it is, below its folder. */
export function hostPlaces(root: string): { readonly file: string; readonly lock: string; readonly log: string } {
  const folder = join(root, "run");
  return {
    file: join(folder, "exec-host.json"),
    lock: join(folder, "exec-host.lock"),
    log: join(folder, "exec-host.log"),
  };
}

export function readHostFile(root: string): HostFile | undefined {
  try {
    return check(JSON.parse(readFileSync(hostPlaces(root).file, "utf8")), "the file");
  } catch {
    // Absent, or of another version: either way no daemon is announced.
    return undefined;
  }
}

/** Whole or as it was for whoever reads it meanwhile, and for this user alone. */
export function writeHostFile(root: string, file: HostFile): void {
  const { file: path } = hostPlaces(root);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, `${JSON.stringify(file)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeHostFile(root: string, { hostId }: Pick<HostFile, "hostId">): void {
  if (readHostFile(root)?.hostId === hostId) rmSync(hostPlaces(root).file, { force: true });
}
