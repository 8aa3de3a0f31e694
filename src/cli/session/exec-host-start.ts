import { hostPlaces, startDetached } from "../../exec/index.js";
import type { DetachedProgram } from "../../exec/index.js";
import type { CliContext } from "../context.js";
import type { Places } from "../places.js";

/** How long an exec host that was started on demand stays when there is nothing to do. */
const IDLE_EXIT = "10m";

/** Starts the exec host of the state folder, apart from this process. Whether it then answers is told by connecting. */
export function startExecHost(places: Places, { environment, signals }: CliContext): Promise<DetachedProgram> {
  const program = [signals.execPath, ...signals.execArgv, signals.argv[1] ?? ""] as const;
  const place = ["--root", places.state, "--socket", places.socket(EXEC_HOST)];
  const words = [program[0] ?? "", ...program.slice(1), "exec-host", ...place, "--idle-exit", IDLE_EXIT] as const;
  return startDetached({ words, environment, logPath: hostPlaces(places.state).log });
}

/** The name of its socket beside those of sessions, none of which can be called so. */
export const EXEC_HOST = "exec-host";
