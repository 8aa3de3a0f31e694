import { useState } from "preact/hooks";
import type { ChatQueued } from "../../src/facet/index.js";
import { displayText } from "../format/display-text.js";
import { describeProblem } from "../host/api.js";
import type { Api } from "../host/api.js";
import type { OpenLane } from "../lane/open-lane.js";

export interface MessageQueueProps {
  readonly lane: OpenLane;
  /** Undefined where nothing can be taken back. */
  readonly api: Api | undefined;
}

/** What was said and has not joined an operation yet. */
export function MessageQueue({ lane, api }: MessageQueueProps) {
  const { queue, operation } = lane.state ?? {};
  if (queue === undefined || queue.length === 0) return null;
  const isRunning = operation?.state === "running";
  return (
    <ul class="queue" aria-label="Messages that wait">
      {queue.map((message) => (
        <QueuedMessage key={message.id} message={message} isRunning={isRunning} lane={lane} api={api} />
      ))}
    </ul>
  );
}

interface QueuedMessageProps extends MessageQueueProps {
  readonly message: ChatQueued;
  readonly isRunning: boolean;
}

function QueuedMessage({ message, isRunning, lane, api }: QueuedMessageProps) {
  const [isSent, setSent] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const withdraw = async (from: Api): Promise<void> => {
    setSent(true);
    setProblem(undefined);
    try {
      // Where it has joined meanwhile, it is a row by now.
      await from.withdraw(lane.place, message.id);
    } catch (error) {
      setSent(false);
      setProblem(describeProblem(error));
    }
  };
  return (
    <li class="queued">
      <header class="row-head">
        <span class="row-kind">waits</span>
        <span>{isRunning ? JOINS[message.kind] : "joins the next operation"}</span>
        {api !== undefined && (
          <button type="button" class="button is-quiet" disabled={isSent} onClick={() => void withdraw(api)}>
            Withdraw
          </button>
        )}
      </header>
      <p class="prose">{displayText(message.text)}</p>
      {message.cut === true && <p class="aside">Cut here; the rest is in the session's log.</p>}
      {problem !== undefined && <p role="alert">{displayText(problem)}</p>}
    </li>
  );
}

const JOINS: Record<ChatQueued["kind"], string> = {
  steer: "joins at the next step",
  followUp: "joins when what runs is done",
};
