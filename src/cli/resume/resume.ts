import type { OperationId, SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { EXIT_NOT_COMPLETED, EXIT_OK } from "../exit-codes.js";
import { formatResult } from "../output/display.js";
import { JsonLines } from "../output/json-lines.js";
import { openWindow } from "../output/window.js";
import { serveSession } from "../host/session-server.js";
import type { SessionServer } from "../host/session-server.js";
import type { Shows } from "../options/shows.js";
import { Viewer } from "../run/viewer.js";
import { findUnsettled } from "../sessions/choose.js";
import { readRunFile } from "../session/run-file.js";
import { openWritableStore } from "../session/store.js";
import type { WorkSession } from "../session/work-session.js";
import { printableText } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";
import type { TextOutput } from "../terminal/text-output.js";
import { openResumedSession } from "./resumed-session.js";

export interface ResumeRequest {
  /** Where none is named: of the sessions that wait, the one that was used last. */
  readonly session: SessionId | undefined;
  readonly shows: Shows;
}

/** Settles what a process that died left of a session, shows it, and gives the exit code. */
export async function resume(request: ResumeRequest, context: CliContext): Promise<number> {
  const store = openWritableStore(context);
  const waiting = request.session === undefined ? await findUnsettled(store) : [request.session];
  const [id, ...others] = waiting;
  const talk = openTalk(request, context);
  if (id === undefined) {
    await talk.nothingToDo("no session waits to be resumed");
    return EXIT_OK;
  }
  const previous = readRunFile(store.places, id);
  const session = await openResumedSession(store, id, context);
  let server: SessionServer | undefined;
  try {
    server = await serveSession(session, { places: store.places, previous, warn: (text) => talk.remark(text) });
    return await resumeIn(session, talk);
  } finally {
    await session.close();
    await server?.close();
    if (others.length > 0) talk.remark(`still to be resumed: ${others.join(", ")}`);
    await talk.idle();
  }
}

async function resumeIn(session: WorkSession, talk: Talk): Promise<number> {
  const operation = session.lane.view().operation?.id;
  if (operation === undefined) {
    await talk.nothingToDo(`session ${session.id} has nothing to resume`, session.id);
    return EXIT_OK;
  }
  const viewer = talk.watch(session, operation);
  await session.harness.recover();
  await talk.settled(viewer, session, operation);
  return EXIT_NOT_COMPLETED;
}

/** What is said of a resumption: as lines of JSON, or the text on standard output and the rest on standard error. */
interface Talk {
  nothingToDo(what: string, session?: SessionId): Promise<void>;
  watch(session: WorkSession, operation: OperationId): Viewer;
  settled(viewer: Viewer, session: WorkSession, operation: OperationId): Promise<void>;
  remark(text: string): void;
  idle(): Promise<void>;
}

function openTalk({ shows }: ResumeRequest, context: CliContext): Talk {
  const output = openTextOutput(context.stdout);
  return shows === "json" ? talkJson(output) : talkText(output, shows === "result", context);
}

function talkJson(output: TextOutput): Talk {
  const viewers: Viewer[] = [];
  const lines = new JsonLines(output, () => viewers.forEach((viewer) => viewer.resync()));
  const write = (line: object): void => output.write(`${JSON.stringify(line)}\n`);
  return {
    async nothingToDo(reason, session) {
      write({ type: "settled", session: session ?? null, operation: null, status: null, reason });
      await output.idle();
    },
    watch(session, operation) {
      lines.open(session.id, operation);
      const window = openWindow(undefined, false);
      const viewer = new Viewer(operation, { before: () => undefined, after: (json) => lines.show(window, json) });
      viewers.push(viewer);
      viewer.join(session.chat);
      return viewer;
    },
    async settled(_viewer, session, operation) {
      await lines.finish();
      const { state, reason } = session.chat.snapshot().operation ?? {};
      write({ type: "settled", session: session.id, operation, status: state ?? null, reason: reason ?? null });
    },
    remark: () => undefined,
    idle: () => output.idle(),
  };
}

function talkText(output: TextOutput, isQuiet: boolean, context: CliContext): Talk {
  const errors = openTextOutput(context.stderr);
  const remark = (text: string): void => (isQuiet ? undefined : errors.write(`spillway: ${text}\n`));
  return {
    async nothingToDo(what) {
      remark(what);
      await errors.idle();
    },
    watch(session, operation) {
      const viewer = new Viewer(operation, { before: () => undefined, after: () => true });
      viewer.join(session.chat);
      return viewer;
    },
    async settled(viewer, session) {
      const result = formatResult(openWindow(viewer.call?.output, true));
      output.write(output.isTerminal ? printableText(result) : result);
      await output.idle();
      const { state, reason } = session.chat.snapshot().operation ?? {};
      remark(`session ${session.id} is settled as ${state ?? "interrupted"}: ${reason ?? ""}`);
    },
    remark,
    async idle() {
      await output.idle();
      await errors.idle();
    },
  };
}
