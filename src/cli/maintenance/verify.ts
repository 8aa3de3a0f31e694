import { basename } from "node:path";
import type { SessionId } from "../../protocol/index.js";
import type { SessionVerification, VerifiedFile } from "../../storage/index.js";
import type { CliContext } from "../context.js";
import { EXIT_NOT_COMPLETED, EXIT_OK } from "../exit-codes.js";
import { describeFailure } from "../failure.js";
import { formatAmount, formatBytes } from "../report/units.js";
import { openStore } from "../session/store.js";
import type { SessionStore } from "../session/store.js";
import { printableLine } from "../terminal/printable.js";
import { openTextOutput } from "../terminal/text-output.js";

export interface VerifyRequest {
  /** All of them, where none is named. */
  readonly session: SessionId | undefined;
  readonly asJson: boolean;
}

/** Says of each session what is wrong with its files, and gives the exit code. */
export async function verify({ session, asJson }: VerifyRequest, context: CliContext): Promise<number> {
  const store = openStore(context);
  const output = openTextOutput(context.stdout);
  let isSound = true;
  for (const id of session === undefined ? await store.storage.list() : [session]) {
    const found = await verifyOne(store, id, session !== undefined);
    if (found === undefined) continue;
    isSound &&= found.isSound;
    output.write(asJson ? `${JSON.stringify(toJson(found))}\n` : describe(found).join(""));
    await output.idle();
  }
  return isSound ? EXIT_OK : EXIT_NOT_COMPLETED;
}

/** A session whose files cannot even be read. */
interface UnreadableSession {
  readonly sessionId: SessionId;
  readonly isSound: false;
  readonly problem: { readonly code: string; readonly message: string };
}

type Verified = SessionVerification | UnreadableSession;

/** Of all sessions one that cannot be read is a finding; one that was named is a failure. */
async function verifyOne(store: SessionStore, id: SessionId, isNamed: boolean): Promise<Verified | undefined> {
  try {
    return await store.storage.verify(id);
  } catch (error) {
    if (isNamed) throw error;
    const problem = describeFailure(error);
    // Removed since it was listed.
    return problem.code === "session_unknown" ? undefined : { sessionId: id, isSound: false, problem };
  }
}

function toJson({ sessionId, ...found }: Verified): object {
  return { type: "verification", session: sessionId, ...found };
}

function describe(found: Verified): string[] {
  const lines = [`${found.sessionId}  ${found.isSound ? "sound" : "damaged"}\n`];
  if ("problem" in found) return [...lines, `  ${printableLine(found.problem.message)}\n`];
  for (const file of found.files) lines.push(...describeFile(file));
  for (const name of found.asides) lines.push(`  ${name}  kept aside, counts for nothing\n`);
  if (!found.isSound) lines.push(`  Save what can be saved: spillway repair ${found.sessionId}\n`);
  return lines;
}

function describeFile(file: VerifiedFile): string[] {
  const { path, bytes, state, isDead, goodRecords, problems, problemCount } = file;
  const name = basename(path);
  const size = `${formatAmount(goodRecords, "good record")}, ${formatBytes(bytes)}`;
  if (isDead) return [`  ${name}  dead, the next opening removes it\n`];
  const places = problems.map(({ line, offset, reason }) => `    line ${line} (byte ${offset}): ${reason}\n`);
  const more = problemCount - problems.length;
  if (more > 0) places.push(`    … and ${formatAmount(more, "more place")}\n`);
  if (state === "torn") places.push("    An interrupted write; the next opening cuts it off and keeps it aside.\n");
  return [`  ${name}  ${state}, ${size}\n`, ...places];
}
