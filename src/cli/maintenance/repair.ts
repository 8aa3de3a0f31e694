import type { SessionId } from "../../protocol/index.js";
import type { RepairedFile } from "../../storage/index.js";
import type { CliContext } from "../context.js";
import { formatAmount } from "../report/units.js";
import { openStore } from "../session/store.js";
import { printableLine } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";

export interface RepairRequest {
  readonly session: SessionId;
  readonly asJson: boolean;
}

/** Saves what can be saved of a damaged session, and says what that is. */
export async function repair({ session, asJson }: RepairRequest, context: CliContext): Promise<void> {
  const files = await openStore(context).storage.repair(session);
  const output = openTextOutput(context.stdout);
  if (asJson) output.write(`${JSON.stringify({ type: "repair", session, files })}\n`);
  else if (files.length === 0) output.write(`${session}: nothing is damaged, and nothing was changed\n`);
  else for (const file of files) output.write(describe(file));
  await output.idle();
}

function describe({ path, keptAs, savedCommits, lostLines, problems }: RepairedFile): string {
  const lost = lostLines === 0 ? "nothing was lost" : `${formatAmount(lostLines, "line")} could not be saved`;
  const places = problems.map(({ line, offset, reason }) => `  line ${line} (byte ${offset}): ${reason}`);
  return [
    `${path}: ${formatAmount(savedCommits, "commit")} saved, ${lost}`,
    ...places,
    `  The damaged file is kept as ${keptAs}`,
    "",
  ]
    .map((line) => printableLine(line))
    .join("\n");
}
