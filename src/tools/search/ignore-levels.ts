import { dirname, join } from "node:path/posix";
import type { EnvFiles, FolderEntry } from "../../exec/index.js";
import { IgnoreRules } from "./ignore-rules.js";

/** What one folder says of what is below it. Rules of a repository end at its root, those of `.ignore` do not. */
export interface IgnoreLevel {
  /** Absolute. */
  readonly folder: string;
  readonly above: IgnoreLevel | undefined;
  /** Of `.ignore`, which programs that search obey and git does not. */
  readonly searchRules: IgnoreRules | undefined;
  /** Of `.gitignore`. */
  readonly gitRules: IgnoreRules | undefined;
  /** Of `.git/info/exclude`. */
  readonly excludeRules: IgnoreRules | undefined;
  readonly isRepository: boolean;
}

/** Bytes of a file of rules that are read. */
const MAX_RULE_BYTES = 262_144;

/** The rules of all folders above one, up to the root. */
export async function readLevelsAbove(files: EnvFiles, folder: string): Promise<IgnoreLevel | undefined> {
  const above = dirname(folder);
  if (above === folder) return undefined;
  const [level, higher] = await Promise.all([
    readLevel(files, above, undefined, ["file", "file", "folder"]),
    readLevelsAbove(files, above),
  ]);
  return { ...level, above: higher };
}

/** The rules of a folder whose entries are known. */
export function readListedLevel(
  files: EnvFiles,
  folder: string,
  above: IgnoreLevel | undefined,
  entries: readonly FolderEntry[],
): Promise<IgnoreLevel> {
  const kinds = [".ignore", ".gitignore", ".git"].map((name) => entries.find((entry) => entry.name === name)?.kind);
  return readLevel(files, folder, above, kinds);
}

type Kind = FolderEntry["kind"] | undefined;

/** `kinds` are those of `.ignore`, `.gitignore` and `.git`; absent for what is not there. */
async function readLevel(
  files: EnvFiles,
  folder: string,
  above: IgnoreLevel | undefined,
  [search, git, repository]: readonly Kind[],
): Promise<IgnoreLevel> {
  const [searchRules, gitRules, excludeRules, isRepository] = await Promise.all([
    search === undefined ? undefined : readRules(files, join(folder, ".ignore")),
    git === undefined ? undefined : readRules(files, join(folder, ".gitignore")),
    repository === undefined ? undefined : readRules(files, join(folder, ".git/info/exclude")),
    repository !== undefined && files.stat(join(folder, ".git")).then(({ ok }) => ok),
  ]);
  return { folder, above, searchRules, gitRules, excludeRules, isRepository };
}

/** Rules that cannot be read are none. */
async function readRules(files: EnvFiles, path: string): Promise<IgnoreRules | undefined> {
  const read = await files.read(path, { maxBytes: MAX_RULE_BYTES });
  return read.ok ? new IgnoreRules(read.value.bytes) : undefined;
}

/** Whether an entry is left out, by its absolute path. The innermost folder that says something decides. */
export function isIgnored(level: IgnoreLevel | undefined, path: string, isFolder: boolean): boolean {
  for (let at = level; at !== undefined; at = at.above) {
    const verdict = judge(at, at.searchRules, path, isFolder);
    if (verdict !== undefined) return verdict === "ignored";
  }
  for (let at = level; at !== undefined; at = at.above) {
    const verdict =
      judge(at, at.gitRules, path, isFolder) ?? (at.isRepository && judge(at, at.excludeRules, path, isFolder));
    if (typeof verdict === "string") return verdict === "ignored";
    if (at.isRepository) return false;
  }
  return false;
}

/** Whether a folder belongs to a repository. */
export function isInRepository(level: IgnoreLevel | undefined): boolean {
  return level !== undefined && (level.isRepository || isInRepository(level.above));
}

function judge(
  { folder }: IgnoreLevel,
  rules: IgnoreRules | undefined,
  path: string,
  isFolder: boolean,
): ReturnType<IgnoreRules["judge"]> {
  return rules?.judge(path.slice(folder === "/" ? 1 : folder.length + 1), isFolder);
}
