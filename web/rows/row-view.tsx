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
}

/** One row; it is drawn anew only when a batch touched it. */
export class RowView extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.row !== this.props.row || next.version !== this.props.version || next.api !== this.props.api;
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
