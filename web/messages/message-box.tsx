import { useSignal } from "@preact/signals";
import { MESSAGE_ID } from "../app/keyboard.js";
import type { Viewer } from "../app/viewer.js";
import { displayText } from "../format/display-text.js";
import { describeProblem } from "../host/api.js";
import type { Api, MessageKind } from "../host/api.js";
import type { OpenLane } from "../lane/open-lane.js";

export interface MessageBoxProps {
  readonly viewer: Viewer;
  readonly api: Api;
  readonly lane: OpenLane;
}

/** Says something to the lane: Enter sends, and what could not be sent stays. */
export function MessageBox({ viewer, api, lane }: MessageBoxProps) {
  const draft = viewer.draftOf(lane.place);
  const queueAs = useSignal<"steer" | "followUp">("steer");
  const isSending = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const isRunning = lane.version.value > 0 && lane.state?.operation?.state === "running";
  const kind: MessageKind = isRunning ? queueAs.value : "prompt";
  const send = async (): Promise<void> => {
    const text = draft.value;
    if (isSending.value || text.trim() === "") return;
    isSending.value = true;
    problem.value = undefined;
    try {
      await api.say(lane.place, text, kind);
      draft.value = "";
    } catch (error) {
      problem.value = describeProblem(error);
    }
    isSending.value = false;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also ends what an input method composes.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void send();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void send();
  };
  return (
    <form class="message-box" aria-busy={isSending.value} onSubmit={submit}>
      {problem.value !== undefined && <p role="alert">Not sent. {displayText(problem.value)}</p>}
      <textarea
        id={MESSAGE_ID}
        rows={1}
        aria-label={isRunning ? "Message to what runs" : "Prompt"}
        placeholder={isRunning ? "Say something to what runs  m" : "Prompt  m"}
        value={draft.value}
        // Not disabled: that would take the focus away.
        readOnly={isSending.value}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="message-foot">
        {isRunning && (
          <select
            aria-label="When it joins"
            value={queueAs.value}
            onChange={(event) => (queueAs.value = event.currentTarget.value === "followUp" ? "followUp" : "steer")}
          >
            <option value="steer">at the next step</option>
            <option value="followUp">when it is done</option>
          </select>
        )}
        <button type="submit" class="button is-primary" disabled={isSending.value || draft.value.trim() === ""}>
          {isSending.value ? "Sending …" : "Send"}
        </button>
      </div>
    </form>
  );
}
