import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { SessionId } from "../../protocol/index.js";
import type { Places } from "../places.js";

/** Tells whether a path, without a link in it, is a saved output of a session that is allowed. */
export function spillsOf({ spills }: Places, isAllowed: (session: SessionId) => boolean): (path: string) => boolean {
  return (path) => {
    const folder = dirname(path);
    return dirname(folder) === realPath(spills) && isAllowed(basename(folder));
  };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Nothing was saved yet.
    return undefined;
  }
}
