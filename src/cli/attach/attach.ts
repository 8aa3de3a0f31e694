import type { ChatState } from "../../facet/index.js";
import type { SessionId } from "../../protocol/index.js";
import { connectToStream, facetPath } from "../../wire/index.js";
import { ConnectionError, follow } from "../../wire/client/index.js";
import type { FollowEnd } from "../../wire/client/index.js";
import { openRunningSession } from "../approve/running-session.js";
import type { CliContext } from "../context.js";
import { EXIT_NOT_COMPLETED, EXIT_OK, exitCodeOfSignal } from "../exit-codes.js";
import { CliError } from "../failure.js";
import type { Shows } from "../options/shows.js";
import { targetOf } from "../serve/store-source.js";
import { findRun, readRunFile } from "../session/run-file.js";
import { openStore } from "../session/store.js";
import type { SessionStore } from "../session/store.js";
import { listenForInterrupts } from "../signals/interrupts.js";
import { lendTerminal } from "../signals/lent-terminal.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";
import { readSummary, summarizeAll } from "../sessions/summary.js";
import { listenForKeys } from "../terminal/key-input.js";
import { createApprovalPrompt } from "./approval-prompt.js";
import type { ApprovalPrompt } from "./approval-prompt.js";
import type { Speaker } from "./attached-conversation.js";
import type { AttachedDisplay } from "./attached-display.js";
import { openDisplay } from "./open-display.js";
import { readStored, showStored } from "./stored-chat.js";

export interface AttachRequest {
  /** Of the sessions that run, the one that was used last, where none is named; else the one that was used last of all. */
  readonly session: SessionId | undefined;
  readonly shows: Shows;
}

/** Follows a session that another process runs until it ends, and gives the exit code. */
export async function attach(request: AttachRequest, context: CliContext): Promise<number> {
  const store = openStore(context);
  const session = request.session ?? (await chooseSession(store));
  const { shows } = request;
  if (findRun(store.places, session) === undefined) {
    const stored = await readStored(store, session);
    return showStored(stored, openDisplay({ session, shows, isChat: stored.isChat, speaker: undefined }, context));
  }
  const isChat = await takesMessages(store, session);
  const display = openDisplay({ session, shows, isChat, speaker: speakTo(store, session) }, context);
  const isAsked = shows === "everything" && !isChat;
  const prompt = isAsked ? openPrompt(store, session, display, context) : undefined;
  return followRun({ store, session, display, prompt }, context);
}

/** Whether a model works in it that can be spoken to, as far as its process can be asked now. */
async function takesMessages(store: SessionStore, id: SessionId): Promise<boolean> {
  try {
    const { session } = await openRunningSession(store, id);
    return session.lanes.some((lane) => lane.id === LANE && lane.takesMessages);
  } catch {
    return false;
  }
}

/** Whoever has the session when something is said: a process that resumed it is another one. */
function speakTo(store: SessionStore, id: SessionId): Speaker {
  return {
    approve: async (call, decision) => (await openRunningSession(store, id)).session.approve(LANE, call, decision),
    say: async (text, as) => (await openRunningSession(store, id)).session.say(LANE, text, as),
  };
}

async function chooseSession(store: SessionStore): Promise<SessionId> {
  const summaries = await summarizeAll(store);
  const chosen = summaries.find(({ state }) => state === "running") ?? summaries[0];
  if (chosen !== undefined) return chosen.session;
  throw new CliError("not_found", `there are no sessions in ${store.places.sessions}; begin one: spillway run -- make`);
}

/** Keys are read only where nobody else reads them and the question can be seen as well. */
function openPrompt(
  store: SessionStore,
  session: SessionId,
  display: AttachedDisplay,
  { signals, stdout, stderr, clock }: CliContext,
): ApprovalPrompt {
  const canAnswer = [signals.stdin, stdout, stderr].every(({ isTTY }) => isTTY === true);
  return createApprovalPrompt({
    session,
    say: (text) => display.interject(text),
    async decide(call, decision) {
      const running = await openRunningSession(store, session);
      await running.session.approve(LANE, call, decision);
    },
    listen: canAnswer ? (onKey) => listenForKeys(signals, onKey) : undefined,
    clock,
  });
}

function borrowTogether(prompt: ApprovalPrompt | undefined, display: AttachedDisplay): TerminalBorrower {
  return {
    suspend() {
      prompt?.suspend();
      display.suspend();
    },
    resume() {
      display.resume();
      prompt?.resume();
    },
    abandon() {
      prompt?.abandon();
      display.abandon();
    },
  };
}

/** The lane that is followed. */
const LANE = "main";

interface Followed {
  readonly store: SessionStore;
  readonly session: SessionId;
  readonly display: AttachedDisplay;
  readonly prompt: ApprovalPrompt | undefined;
}

async function followRun({ store, session, display, prompt }: Followed, context: CliContext): Promise<number> {
  const path = facetPath(session, LANE, "chat");
  const following = follow<ChatState>({
    // A process that resumed the session listens where the one before it did.
    connect: () => {
      const target = targetOf(readRunFile(store.places, session));
      if (target === undefined) throw new ConnectionError("unreachable", "no process shows the session now");
      return connectToStream(target, path);
    },
    onState: (state, why) => {
      if (state === "waiting") void lookAfter(why);
      else if (state === "following") display.restore();
    },
  });
  following.consumer.onChange((change) => {
    display.show(change);
    prompt?.follow(change.value);
  });
  /** Where the process ended while nobody could hear of it, its files say how. */
  const lookAfter = async (why: ConnectionError | undefined): Promise<void> => {
    display.lose(why?.message ?? "it was lost");
    const summary = await readSummary(store, session);
    if (summary?.state !== "running" && summary?.state !== "unsettled") following.stop();
  };
  /** The exit code of having left. */
  let left: number | undefined;
  display.onLeave?.(() => {
    left = EXIT_OK;
    following.stop();
  });
  const stopListening = [
    lendTerminal(context.signals, borrowTogether(prompt, display)),
    listenForInterrupts(context.signals, context.clock, {
      stop(signal) {
        left = exitCodeOfSignal(signal);
        following.stop();
      },
      leave(signal) {
        prompt?.abandon();
        display.abandon();
        context.exit(exitCodeOfSignal(signal));
      },
    }),
  ];

  const end = await following.ended;
  stopListening.forEach((stop) => stop());
  prompt?.abandon();
  if (left !== undefined) {
    await display.leave(`left session ${session}, which goes on`);
    return left;
  }
  return endOf(end, following.consumer.value, { store, session, display });
}

async function endOf(
  end: FollowEnd,
  value: ChatState | undefined,
  { store, session, display }: { store: SessionStore; session: SessionId; display: AttachedDisplay },
): Promise<number> {
  if (end.reason === "stopped") return showStored(await readStored(store, session), display);
  if (end.reason === "refused") {
    await display.leave(`session ${session} cannot be followed: ${end.error.message}`);
    return EXIT_NOT_COMPLETED;
  }
  if (value !== undefined) await display.finish(value);
  const operation = value?.operation;
  await display.remark(`session ${session} ended: ${operation?.state ?? "unknown"}${reasonOf(operation?.reason)}`);
  return operation?.state === "completed" ? EXIT_OK : EXIT_NOT_COMPLETED;
}

function reasonOf(reason: string | undefined): string {
  return reason === undefined ? "" : `, ${reason}`;
}
