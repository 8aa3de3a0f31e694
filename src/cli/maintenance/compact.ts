import type { SessionId } from "../../protocol/index.js";
import type { CliContext } from "../context.js";
import { formatBytes } from "../report/units.js";
import { openStore } from "../session/store.js";
import { openTextOutput } from "../terminal/text-output.js";

export interface CompactRequest {
  readonly session: SessionId;
  readonly asJson: boolean;
}

/** Rewrites the main log of a session without what is dead in it. */
export async function compact({ session, asJson }: CompactRequest, context: CliContext): Promise<void> {
  const { bytesBefore, bytesAfter } = await openStore(context).storage.compact(session);
  const output = openTextOutput(context.stdout);
  if (asJson) output.write(`${JSON.stringify({ type: "compaction", session, bytesBefore, bytesAfter })}\n`);
  else output.write(`${session}: ${formatBytes(bytesBefore)} before, ${formatBytes(bytesAfter)} now\n`);
  await output.idle();
}
