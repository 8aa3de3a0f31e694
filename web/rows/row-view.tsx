import { Component } from "preact";
import type { ChatRow } from "../../src/facet/index.js";
import type { Api } from "../host/api.js";
import type { OpenLane } from "../lane/open-lane.js";
import { AssistantRow } from "./assistant-row.js";
import { SummaryRow } from "./summary-row.js";
import { ToolRow } from "./tool-row.js";
import { UserRow } from "./user-row.js";

export interface RowProps<Row extends ChatRow = ChatRow> {
  readonly row: Row;
  /** The row is changed in place; this rises when it is. */
  readonly version: number;
  readonly lane: OpenLane;
  readonly api: Api | undefined;
  /** Whether who looks may also decide. */
  readonly isControl: boolean;
}

/** One row; it is drawn anew only when a batch touched it. */
export class RowView extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { row, version, api, isControl } = this.props;
    return next.row !== row || next.version !== version || next.api !== api || next.isControl !== isControl;
  }

  override render({ row, ...rest }: RowProps) {
    switch (row.type) {
      case "user":
        return <UserRow row={row} {...rest} />;
      case "assistant":
        return <AssistantRow row={row} {...rest} />;
      case "tool":
        return <ToolRow row={row} {...rest} />;
      case "summary":
        return <SummaryRow row={row} {...rest} />;
      default:
        // A newer host may know rows that this page does not.
        return null;
    }
  }
}
