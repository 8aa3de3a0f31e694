import { getOrThrow } from "../../exec/index.js";
import type { CliContext } from "../context.js";
import { EXIT_NOT_COMPLETED, EXIT_OK } from "../exit-codes.js";
import { CliError } from "../failure.js";
import { withRunningHost } from "../session/running-host.js";
import { printableLine } from "../terminal/printable.js";

/** Stops an execution of the exec host with all its processes, says who survived, and gives the exit code. */
export async function killExecution(executionId: string, context: CliContext): Promise<number> {
  const survivors = await withRunningHost(context, async (host) => {
    const known = (await host?.listAll()) ?? [];
    const found = known.find((info) => info.executionId === executionId);
    if (host === undefined || found === undefined || found.state === "ended") {
      const has = known.length === 0 ? "nothing runs in an exec host" : "see: spillway ps";
      throw new CliError("not_found", `no execution ${executionId} runs; ${has}`);
    }
    return getOrThrow(await host.kill(executionId)).survivors;
  });
  for (const { pid, command } of survivors) {
    context.stderr.write(`spillway: process ${pid} (${printableLine(command)}) could not be stopped\n`);
  }
  return survivors.length === 0 ? EXIT_OK : EXIT_NOT_COMPLETED;
}
