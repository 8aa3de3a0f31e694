import { useRef, useState } from "preact/hooks";
import type { ChatToolRow } from "../../src/facet/index.js";
import { displayText } from "../format/display-text.js";
import { describeProblem } from "../host/api.js";
import type { Api, CallDecision } from "../host/api.js";
import type { OpenLane } from "../lane/open-lane.js";

export interface ApprovalFormProps {
  readonly row: ChatToolRow;
  readonly lane: OpenLane;
  readonly api: Api;
}

type Step = { readonly state: "open" | "sent" } | { readonly state: "failed"; readonly problem: string };

/** Decides about a call that waits. It goes when the host says that something was decided, here or elsewhere. */
export function ApprovalForm({ row, lane, api }: ApprovalFormProps) {
  const [step, setStep] = useState<Step>({ state: "open" });
  const reason = useRef<HTMLInputElement>(null);
  const decide = async (decision: CallDecision): Promise<void> => {
    setStep({ state: "sent" });
    try {
      await api.approve(lane.place, row.toolCallId, decision);
    } catch (error) {
      setStep({ state: "failed", problem: describeProblem(error) });
    }
  };
  // What Enter in the field does is what does no harm.
  const deny = (event: SubmitEvent): void => {
    event.preventDefault();
    const why = reason.current?.value.trim() ?? "";
    void decide({ decision: "deny", ...(why !== "" && { reason: why }) });
  };
  const isSent = step.state === "sent";
  return (
    <form class="approval" aria-label={`Approval of ${row.toolName}`} aria-busy={isSent} onSubmit={deny}>
      <button
        type="button"
        class="button is-primary is-allow"
        disabled={isSent}
        onClick={() => void decide({ decision: "allow" })}
      >
        Allow
      </button>
      <button type="submit" class="button is-danger" disabled={isSent}>
        Deny
      </button>
      <button
        type="button"
        class="button"
        disabled={isSent}
        onClick={() => void decide({ decision: "allow", always: true })}
      >
        Always allow {displayText(row.toolName)}
      </button>
      <input
        ref={reason}
        class="approval-reason"
        aria-label="Why it is denied"
        placeholder="why not, for the model"
        autocomplete="off"
        disabled={isSent}
      />
      {step.state === "failed" && <p role="alert">{displayText(step.problem)}</p>}
    </form>
  );
}
