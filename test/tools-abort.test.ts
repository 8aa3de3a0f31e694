import { describe, expect, test } from "vitest";
import type { EnvFiles, ExecutionEnv } from "../src/exec/index.js";
import type { Json } from "../src/protocol/index.js";
import { createBuiltInTools } from "../src/tools/index.js";
import type { AgentHarnessTool } from "../src/tools/index.js";
import { runTool } from "../src/tools/fixtures/run-tool.js";
import { inProcess, plantFiles, readPlanted, useToolEnv } from "./support/tool-envs.js";

const CALLS: Readonly<Record<string, Json>> = {
  read: { path: "f" },
  write: { path: "f", content: "new" },
  edit: { path: "f", edits: [{ oldText: "old", newText: "new" }] },
  grep: { pattern: "old" },
  find: { pattern: "*" },
  ls: {},
};

/** What of an env's files may never answer, as on a network that is gone. */
const HANGING = ["stat", "read", "write", "list"] as const satisfies readonly (keyof EnvFiles)[];

describe("abort", () => {
  const stage = useToolEnv(inProcess);
  const cases = Object.keys(CALLS).flatMap((name) => HANGING.map((hanging) => ({ name, hanging })));

  test.each(cases)(
    "[H6] $name settles when it is aborted while $hanging does not answer",
    async ({ name, hanging }) => {
      await plantFiles(stage.env, { f: "old" });
      const aborting = new AbortController();
      const env = hangingEnv(stage.env, hanging, () => aborting.abort(new Error("enough")));

      const run = await runTool(findTool(name), env, CALLS[name] ?? null, aborting);

      // What is not asked for cannot hang.
      const stopped = { code: "call_aborted", message: expect.stringContaining("enough") as string };
      expect({ error: run.error }).toMatchObject({ error: aborting.signal.aborted ? stopped : undefined });
    },
  );

  test("[T8] a write that does not answer keeps its turn, and whoever waits for it can be stopped", async () => {
    await plantFiles(stage.env, { f: "old" });
    const [first, second] = [new AbortController(), new AbortController()];
    const tool = findTool("write");
    const env = hangingEnv(stage.env, "write", () => first.abort());

    const running = runTool(tool, env, { path: "f", content: "one" }, first);
    const waiting = runTool(tool, env, { path: "./f", content: "two" }, second);
    const stopped = await running;
    second.abort();

    expect(stopped.error).toMatchObject({ message: expect.stringContaining("the file is whole") });
    expect((await waiting).error).toMatchObject({ message: expect.stringContaining("the file was not touched") });
  });

  test.each(Object.keys(CALLS))("[H6] %s that was aborted before it began does nothing", async (name) => {
    await plantFiles(stage.env, { f: "old" });

    const run = await runTool(findTool(name), stage.env, CALLS[name] ?? null, { signal: AbortSignal.abort() });

    expect(run.error).toMatchObject({ code: "call_aborted" });
    expect(run.text()).toBe("");
    expect(await readPlanted(stage.env, "f")).toBe("old");
  });
});

function findTool(name: string): AgentHarnessTool {
  const tool = createBuiltInTools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

/** An env one of whose methods never answers; `asked` is told when it was called first. */
function hangingEnv(env: ExecutionEnv, method: (typeof HANGING)[number], asked: () => void): ExecutionEnv {
  const hang = (): Promise<never> => {
    queueMicrotask(asked);
    return new Promise(() => undefined);
  };
  return { ...env, files: { ...env.files, [method]: hang } };
}
