import type { ChildProcess } from "node:child_process";

/**
 * Shell text that says on its standard error that it runs, and then becomes the program that follows, with what its
 * descriptors 3 and 4 are as outputs. So the sandbox's own processes do not hold the outputs of what was left behind.
 */
export const SAY_STARTED = `printf '\\0' >&2; exec "$0" "$@" >&3 2>&4 3>&- 4>&-`;

const MAX_COMPLAINT_BYTES = 4_096;

/** Undefined once what runs inside has said so; else what was complained about before the end. */
export function complaintBeforeStart(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { stderr } = child;
    let said = "";
    const end = (complaint: string | undefined): void => {
      stderr?.destroy();
      resolve(complaint);
    };
    stderr?.setEncoding("utf8");
    stderr?.on("error", () => undefined);
    stderr?.on("data", (text: string) => {
      said = (said + text).slice(0, MAX_COMPLAINT_BYTES);
      if (text.includes("\0")) end(undefined);
    });
    child.once("close", () => end(said.trim()));
  });
}
