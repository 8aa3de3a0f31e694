import { connectDaemon, connectExecHost, ExecError } from "../../exec/index.js";
import type { ExecClient } from "../../exec/index.js";
import type { CliContext } from "../context.js";
import { findPlaces } from "../places.js";

/**
 * Gives the exec host of the state folder to `use`, and lets go of it afterwards. Where none lives, none is started:
 * `use` is given undefined.
 */
export async function withRunningHost<T>(
  context: CliContext,
  use: (host: ExecClient | undefined) => Promise<T>,
): Promise<T> {
  const { clock, random } = context;
  const connect = connectDaemon({ root: findPlaces(context).state, clock });
  const host = await connectExecHost({ connect, clock, random, giveUpMs: GIVE_UP_MS }).catch(noHost);
  try {
    return await use(host);
  } finally {
    await host?.disconnect();
  }
}

const GIVE_UP_MS = 5_000;

function noHost(error: unknown): undefined {
  if (error instanceof ExecError && error.code === "link_lost") return undefined;
  throw error;
}
