import { formatCount, formatDuration } from "../report/units.js";
import type { AnswerEnd } from "./view.js";

/** Such as `completed · 12.3 s · 3,400 tokens in, 210 out · $0.02 · session s_1`. */
export function describeAnswerEnd({ status, usage, durationMs, session }: AnswerEnd): string {
  const { inputTokens, outputTokens, costUsd } = usage;
  const tokens =
    inputTokens === undefined && outputTokens === undefined
      ? []
      : [`${formatCount(inputTokens ?? 0)} tokens in, ${formatCount(outputTokens ?? 0)} out`];
  const cost = costUsd === undefined ? [] : [`$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`];
  return [status, formatDuration(durationMs), ...tokens, ...cost, `session ${session}`].join(" · ");
}
