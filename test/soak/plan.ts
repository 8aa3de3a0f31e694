import { parseScript } from "../../src/models/index.js";
import type { Script, ScriptStep } from "../../src/models/index.js";
import { commandText, planCommand } from "./commands.js";
import type { World } from "./world.js";

/** What an operation is to do. It stands in its prompt, so that model and checks find it in what is stored. */
export interface Plan {
  readonly id: string;
  readonly script: Script;
  /** How the operation ends where nobody stops it. */
  readonly ends: "completed" | "failed";
}

const MARK = "plan ";

export function planText(plan: Plan): string {
  return `${MARK}${JSON.stringify(plan)}`;
}

export function readPlan(text: string): Plan | undefined {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Plan) : undefined;
}

/** A few turns with calls, some at once, of a model that fails now and then. */
export function makePlan(world: World, random: () => number, id: string): Plan {
  const pick = (count: number): number => Math.floor(random() * count);
  const fails = pick(12) === 0;
  const turns: ScriptStep[][] = Array.from({ length: 1 + pick(3) }, (_, turn) => {
    const calls = Array.from({ length: 1 + pick(3) }, (_, index) => makeCall(world, random, `${id}-${turn}-${index}`));
    return [...makeFailures(random), makeText(random, `${id} turn ${turn}.`), ...calls];
  });
  const last: ScriptStep[] = fails
    ? [makeText(random, `${id} ends.`), { type: "error", code: "bad_request" }]
    : [...makeFailures(random), makeText(random, `${id} is done.`)];
  return { id, script: parseScript({ version: 1, turns: [...turns, last] }), ends: fails ? "failed" : "completed" };
}

function makeCall(world: World, random: () => number, tag: string): ScriptStep {
  const kind = random();
  if (kind < 0.6)
    return { type: "toolCall", name: "bash", args: { command: commandText(world, planCommand(random, tag)) } };
  if (kind < 0.8) return { type: "toolCall", name: "effect", args: { tag } };
  return { type: "toolCall", name: "steps", args: { tag, count: 1 + Math.floor(random() * 6) } };
}

function makeText(random: () => number, text: string): ScriptStep {
  return { type: "text", text: text.repeat(1 + Math.floor(random() * 40)), delayMs: Math.floor(random() * 120) };
}

/** What passes when the model is asked again. */
function makeFailures(random: () => number): readonly ScriptStep[] {
  const kind = Math.floor(random() * 14);
  const said: ScriptStep = { type: "text", text: "I begin" };
  if (kind === 0) return [{ type: "error", code: "overloaded", retryAfterMs: 50, times: 2 }];
  if (kind === 1) return [{ type: "cut", call: { name: "bash", input: '{"command": "ec' }, times: 1 }];
  // Said at every request, before the silence of the first.
  if (kind === 2) return [said, { type: "stall", times: 1 }];
  return [];
}
