import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ExecClient, OwnedExecution, ShellOutputView } from "../../exec/index.js";
import type { CliContext } from "../context.js";
import { CliError } from "../failure.js";
import type { Places } from "../places.js";
import { withRunningHost } from "../session/running-host.js";
import { joiningSources, readingText } from "./output-source.js";
import type { OutputSource } from "./output-source.js";
import { openSpill } from "./spill.js";

export interface ExecutionOutput {
  readonly source: OutputSource;
  /** Whether more is to come. */
  readonly goesOn: boolean;
}

/**
 * What an execution has given so far, whoever began it: from its files, or, where it has needed none, from the window that the
 * exec host keeps.
 *
 * @throws {CliError} `not_found`
 */
export async function openExecutionOutput(
  places: Places,
  executionId: string,
  context: CliContext,
): Promise<ExecutionOutput> {
  const { info, window } = await withRunningHost(context, async (host) => {
    const found = (await host?.listAll())?.find((listed) => listed.executionId === executionId);
    return { info: found, window: host && found && (await readWindow(host, found)) };
  });
  const session = info?.owner ?? findFolder(places, executionId);
  const spill = await openFile(places, session, session && join(places.spillFolder(session), `${executionId}.log`));
  const left = await openFile(places, session, info?.leftOutputPath);
  const kept =
    window === undefined ? undefined : readingText(window.text + (window.tail ?? "") + (window.progress ?? ""));
  const first = spill ?? kept;
  if (first === undefined) {
    throw new CliError(
      "not_found",
      `no output of ${executionId} is kept; where its session has it: spillway cat SESSION`,
    );
  }
  return {
    source: left === undefined ? first : joiningSources(first, left),
    goesOn: info !== undefined && info.state !== "ended",
  };
}

/** The window as it is when somebody begins to follow. */
async function readWindow(host: ExecClient, { executionId }: OwnedExecution): Promise<ShellOutputView | undefined> {
  const seen = new AbortController();
  let view: ShellOutputView | undefined;
  await host.attach(
    executionId,
    {
      runOnly: true,
      keep: true,
      onUpdate: (update) => {
        if (update.kind === "replace") view ??= update.output;
        seen.abort();
      },
    },
    { signal: seen.signal },
  );
  return view;
}

async function openFile(
  places: Places,
  session: string | undefined,
  spillPath: string | undefined,
): Promise<OutputSource | undefined> {
  return session === undefined ? undefined : openSpill(places, { session, spillPath });
}

/** The session in whose folder the execution has a file. */
function findFolder({ spills }: Places, executionId: string): string | undefined {
  if (!existsSync(spills)) return undefined;
  const names = readdirSync(spills, { recursive: true, encoding: "utf8" });
  const found = names.find((name) => name.endsWith(`/${executionId}.log`));
  return found === undefined ? undefined : dirname(found);
}
