import { realpathSync } from "node:fs";

/** What lies at a path inside of a sandbox. */
export type Mount =
  | { readonly kind: "writable"; readonly path: string; readonly from: string }
  | { readonly kind: "readable"; readonly path: string }
  /** An empty folder, of which nothing is kept. */
  | { readonly kind: "hidden"; readonly path: string };

/** A mount for what a path leads to; none where nothing is there, for inside it cannot be made. */
export function existing(path: string, kind: "readable" | "hidden"): readonly Mount[] {
  try {
    return [{ kind, path: realpathSync(path) }];
  } catch {
    return [];
  }
}

/** Whether what lies at a path of the machine is what lies there inside. */
export function isShown(path: string, mounts: readonly Mount[]): boolean {
  const around = mounts.filter((mount) => path === mount.path || path.startsWith(`${mount.path}/`));
  const innermost = around.toSorted((a, b) => depth(a.path) - depth(b.path)).at(-1);
  if (innermost === undefined || innermost.kind === "readable") return true;
  return innermost.kind === "writable" && innermost.from === innermost.path;
}

/** The whole machine to be read, and these mounts over it. Of those that lie in each other the innermost says what is there. */
export function mountWords(mounts: readonly Mount[]): readonly string[] {
  const ordered = mounts.toSorted((a, b) => depth(a.path) - depth(b.path));
  // Last, for what lies in a folder that nobody can write to could not be mounted there.
  const sealed = ordered.flatMap(({ kind, path }) => (kind === "hidden" ? ["--remount-ro", path] : []));
  return ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...ordered.flatMap(wordsOf), ...sealed];
}

function depth(path: string): number {
  return path.split("/").length;
}

function wordsOf(mount: Mount): readonly string[] {
  if (mount.kind === "hidden") return ["--tmpfs", mount.path];
  return mount.kind === "writable" ? ["--bind", mount.from, mount.path] : ["--ro-bind", mount.path, mount.path];
}
