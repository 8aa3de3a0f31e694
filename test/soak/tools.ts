import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { createBashTool } from "../../src/tools/index.js";
import type { AgentHarnessTool } from "../../src/tools/index.js";
import { leaveMark } from "./world.js";
import type { World } from "./world.js";

/** Bash, something that must not be done twice, and something that is done in steps that it notes. */
export function createTools(world: World, random: () => number): readonly AgentHarnessTool[] {
  return [createBashTool(), createEffectTool(world, random), createStepsTool(world, random)];
}

const effectParameters = z.object({ tag: z.string() });

function createEffectTool(world: World, random: () => number): AgentHarnessTool {
  const tool: AgentHarnessTool<Parameters<AgentHarnessTool["execute"]>[4], typeof effectParameters> = {
    name: "effect",
    description: "Acts once.",
    parameters: effectParameters,
    async execute(_id, { tag }, signal, out, context) {
      out.write(`${tag} begins\n`);
      await context.memo("plan", () => tag);
      leaveMark(world, tag, "run");
      await sleep(random() * 200, undefined, { signal });
      out.write(`${tag} ends\n`);
    },
  };
  return tool;
}

const stepsParameters = z.object({ tag: z.string(), count: z.int() });

function createStepsTool(world: World, random: () => number): AgentHarnessTool {
  const tool: AgentHarnessTool<Parameters<AgentHarnessTool["execute"]>[4], typeof stepsParameters> = {
    name: "steps",
    description: "Goes on where it was.",
    parameters: stepsParameters,
    replay: "safe",
    async execute(_id, { tag, count }, signal, out, context) {
      for (let step = 0; step < count; step += 1) {
        await context.memo(`step-${step}`, async () => {
          await sleep(random() * 80, undefined, { signal });
          leaveMark(world, `${tag}.${step}`, "made");
          return step;
        });
        leaveMark(world, `${tag}.${step}`, "given");
        out.replace(`${step + 1} of ${count} steps\n`);
      }
    },
  };
  return tool;
}
