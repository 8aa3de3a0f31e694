import { ModelError } from "../models/index.js";
import type { ModelRequest } from "../models/index.js";
import { addUsage } from "../protocol/index.js";
import type { AssistantPart, ContentBlock, Entry, SummaryEntry, TurnId, Usage } from "../protocol/index.js";
import { askModel } from "./answer.js";
import { HarnessError } from "./errors.js";
import type { OperationRun } from "./operation-run.js";
import { splitAtSummary } from "./request.js";

/** Most text of the transcript in one request for a summary; halved where the model says that it is too long. */
export const SUMMARY_INPUT_CHARS = 600_000;
/** Below this much no summary would say anything. */
export const MIN_SUMMARY_INPUT_CHARS = 4_000;
/** Most of one entry that is shown to whoever sums up. */
export const SUMMARY_ENTRY_CHARS = 8_000;
/** Most of a summary that is kept. */
export const MAX_SUMMARY_CHARS = 65_536;

const INSTRUCTION =
  "Below is the record of a conversation between a user and an assistant that works with tools. Write what the assistant needs to go on without it: what the user wants, in the user's own words where they matter; what was decided and why; what was done, with names of files, commands and results that are still needed; what failed; what is left to do. State facts only. Answer with the summary alone.";

/**
 * Lets the model sum up what lies before the last answers, and stores that as an entry. Nothing is taken out of the
 * transcript. Gives false where there is nothing to sum up. Throws what the model does.
 *
 * The cut never parts a call from its result: what is summed up ends right before an answer, or before something that was
 * said, and all results of an answer are stored before the next.
 */
export async function summarize(run: OperationRun, turnId: TurnId, keepAnswers: number): Promise<boolean> {
  const { summary: previous, entries } = splitAtSummary(run.feed.view.transcript);
  const conversation = entries.filter(({ type }) => type !== "summary");
  const before = conversation.slice(0, findCut(conversation, keepAnswers));
  const last = before.at(-1);
  if (last === undefined) return false;
  const { text, usage } = await writeSummary(run, turnId, previous, before);
  const entry: SummaryEntry = {
    type: "summary",
    id: run.runtime.newId("entry"),
    operationId: run.id,
    at: run.runtime.clock.now(),
    text,
    through: last.id,
    entries: (previous?.entries ?? 0) + before.length,
    ...(usage === undefined ? {} : { usage }),
  };
  await run.store([entry], [{ type: "entry_added", entry }]);
  return true;
}

/** Where the entries begin that stay as they are: at one of the last answers, the first of those that are kept. */
export function findCut(entries: readonly Entry[], keepAnswers: number): number {
  const answers = entries.flatMap((entry, index) => (entry.type === "assistant" ? [index] : []));
  return answers.at(-keepAnswers) ?? 0;
}

/** Whether the last answer says that the context is as full as it may be. */
export function isNearlyFull({ runtime, feed }: OperationRun): boolean {
  const { contextTokens, summarizeAt } = runtime.limits;
  if (contextTokens === undefined) return false;
  const { entries } = splitAtSummary(feed.view.transcript);
  const summaryAt = feed.view.transcript.findLastIndex(({ type }) => type === "summary");
  const answerAt = feed.view.transcript.findLastIndex(({ type }) => type === "assistant");
  // What was said before the summary was made does not tell how full it is since.
  if (answerAt < summaryAt) return false;
  const answer = entries.findLast((entry) => entry.type === "assistant");
  const usage = answer?.type === "assistant" ? answer.message.usage : undefined;
  return (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0) >= contextTokens * summarizeAt;
}

async function writeSummary(
  run: OperationRun,
  turnId: TurnId,
  previous: SummaryEntry | undefined,
  entries: readonly Entry[],
): Promise<{ readonly text: string; readonly usage: Usage | undefined }> {
  for (let maxChars = SUMMARY_INPUT_CHARS; ; maxChars = Math.floor(maxChars / 2)) {
    try {
      return await askForSummary(run, turnId, makeRequest(previous, entries, maxChars));
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.code === "context_too_long";
      if (!isTooLong || maxChars / 2 < MIN_SUMMARY_INPUT_CHARS) throw error;
    }
  }
}

async function askForSummary(
  run: OperationRun,
  turnId: TurnId,
  request: ModelRequest,
): Promise<{ readonly text: string; readonly usage: Usage | undefined }> {
  let text = "";
  let usage: Usage | undefined;
  await askModel(run, turnId, request, {
    begin: () => (text = ""),
    take: (part) => {
      if (part.type === "text" && text.length < MAX_SUMMARY_CHARS) text += part.text;
      if (part.type === "usage") usage = addUsage(usage ?? {}, part.usage);
    },
  });
  if (text.trim() === "") throw new HarnessError("no_summary", "The model was asked for a summary and said nothing.");
  return { text: text.slice(0, MAX_SUMMARY_CHARS), usage };
}

/** One text without tools: whoever sums up calls nothing, and no call is without its result. */
function makeRequest(previous: SummaryEntry | undefined, entries: readonly Entry[], maxChars: number): ModelRequest {
  const start = previous === undefined ? [] : [`[summary of what came before]\n${previous.text}`];
  const record = start.concat(entries.map(describeEntry)).join("\n\n");
  return { messages: [{ role: "user", text: `${INSTRUCTION}\n\n${keepEnds(record, maxChars)}` }], tools: [] };
}

function describeEntry(entry: Entry): string {
  switch (entry.type) {
    case "user":
      return `[user]\n${keepEnds(entry.text, SUMMARY_ENTRY_CHARS)}`;
    case "assistant":
      return `[assistant]\n${keepEnds(entry.message.content.map(describePart).join("\n"), SUMMARY_ENTRY_CHARS)}`;
    case "tool": {
      const how = entry.isError ? "failed" : "gave";
      return `[${entry.toolName} ${how}]\n${keepEnds(entry.output.content.map(describeBlock).join("\n"), SUMMARY_ENTRY_CHARS)}`;
    }
    default:
      return "";
  }
}

function describePart(part: AssistantPart): string {
  if (part.type === "text") return part.text;
  return part.type === "toolCall" ? `(calls ${part.name} with ${JSON.stringify(part.args ?? part.input)})` : "";
}

function describeBlock(block: ContentBlock): string {
  return block.type === "text" ? block.text : `(an image, ${block.mediaType})`;
}

/** The start and, mostly, the end of a text that is too long, cut between code points. */
function keepEnds(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = Math.floor(maxChars / 5);
  const start = text.slice(0, head).replace(/[\uD800-\uDBFF]$/, "");
  const end = text.slice(text.length - (maxChars - head)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${start}\n[… ${text.length - start.length - end.length} characters left out …]\n${end}`;
}
