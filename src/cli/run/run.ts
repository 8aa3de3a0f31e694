import type { CliContext } from "../context.js";
import { serveWork } from "../host/serve-work.js";
import type { SessionServer } from "../host/session-server.js";
import { drawReport } from "../report/draw.js";
import { coloursFor } from "../terminal/colours.js";
import { printableLine } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";
import { measureCosts, measureRun } from "./measure.js";
import { judgeOutcome } from "./outcome.js";
import type { Outcome } from "./outcome.js";
import type { RunRequest } from "./request.js";
import { openRunSession } from "./session.js";
import type { RunSession } from "./session.js";
import { listenForStops } from "./stops.js";
import { watchRun } from "./watch.js";
import type { RunWatch } from "./watch.js";

/** Runs a command through every layer, shows it, says what it cost, and gives the exit code. */
export async function run(request: RunRequest, context: CliContext): Promise<number> {
  const session = await openRunSession(request, context);
  let server: SessionServer | undefined;
  try {
    server = await serveWork(session, request, context);
    return await runIn(session, request, context);
  } finally {
    await session.close();
    await server?.close();
    if (request.shows === "everything") tellStopped(session, context);
  }
}

async function runIn(session: RunSession, request: RunRequest, context: CliContext): Promise<number> {
  const output = openTextOutput(context.stdout);
  const operation = await session.lane.prompt(request.command);
  const { shows, limits } = request;
  const watch = watchRun({ session, operation, calls: "one", shows, retain: limits.retain, output }, context);
  const isOutliving = request.env === "exec-host";
  const stops = listenForStops({ session, operation, output, display: watch.display, isOutliving }, context);
  // Whoever sees output can stop it.
  watch.join();
  try {
    const settled = await operation.settled;
    await watch.display.finish(watch.window());
    const outcome = judgeOutcome({ stopped: stops.cause, execution: session.env.ending, operation: settled });
    await tellEnd(outcome, session, watch, request, context);
    return outcome.exitCode;
  } finally {
    watch.display.abandon();
    stops.release();
  }
}

/** What the command left running has ended with its session, and whoever counts on it should know. */
function tellStopped({ env }: RunSession, context: CliContext): void {
  const result = env.ending?.ok === true ? env.ending.value : undefined;
  for (const { pid, command } of result?.left ?? []) {
    context.stderr.write(`spillway: process ${pid} (${printableLine(command)}) was ended with the session\n`);
  }
}

/** The report, and what went wrong: as lines among the others, or drawn and in words on standard error. */
async function tellEnd(
  outcome: Outcome,
  session: RunSession,
  watch: RunWatch,
  request: RunRequest,
  context: CliContext,
): Promise<void> {
  const report = await measureRun(session, watch, request);
  const { failure } = outcome;
  if (watch.lines !== undefined) {
    await watch.lines.report(report);
    if (failure !== undefined) await watch.lines.fail(failure.code, failure.message);
    return;
  }
  const errors = openTextOutput(context.stderr);
  if (request.shows === "everything" && !outcome.isReaderGone) {
    const colours = coloursFor(errors, context.environment);
    const columns = errors.columns;
    errors.write(`\n${drawReport(report, measureCosts(session, watch), { columns, colours })}`);
  }
  if (failure !== undefined) errors.write(`spillway: ${failure.message}\n`);
  await errors.idle();
}
