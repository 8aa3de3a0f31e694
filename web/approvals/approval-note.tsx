import type { ChatToolRow } from "../../src/facet/index.js";
import { displayText } from "../format/display-text.js";
import { formatMoment } from "../format/units.js";
import type { Api } from "../host/api.js";
import type { OpenLane } from "../lane/open-lane.js";
import { ApprovalForm } from "./approval-form.js";

export interface ApprovalNoteProps {
  readonly row: ChatToolRow;
  readonly lane: OpenLane;
  readonly api: Api | undefined;
  readonly isControl: boolean;
}

/** Whether a call waits for someone, what can be done about it here, and what was decided. */
export function ApprovalNote({ row, lane, api, isControl }: ApprovalNoteProps) {
  const { pendingApproval, approval } = row;
  if (pendingApproval !== undefined) {
    const isWaiting = row.state === "waiting";
    return (
      <div class="asked">
        <p role="status">
          {isWaiting ? "Waits for approval." : "Waited for approval; it is asked for again on resume."}
        </p>
        {pendingApproval.reason !== undefined && <p class="prose">{displayText(pendingApproval.reason)}</p>}
        {row.argsCut === true && <p>Only a part of the arguments is shown: do not allow what you have not read.</p>}
        {isWaiting && isControl && api !== undefined && <ApprovalForm row={row} lane={lane} api={api} />}
        {isWaiting && !isControl && (
          <p class="minor">This address only watches; the one to watch and control can decide.</p>
        )}
      </div>
    );
  }
  if (approval === undefined) return null;
  const { decision, at, reason } = approval;
  return (
    <p class="aside">
      {decision === "allow" ? "Allowed" : "Denied"} at {formatMoment(at, Date.now())}
      {reason !== undefined && `: ${displayText(reason)}`}
    </p>
  );
}
