import { expect, test } from "vitest";
import { createSeedTool } from "../../test/support/seed-tool.js";
import type { Batch } from "../delta/index.js";
import { bashSchema, createBashTool } from "./bash.js";
import type { BashToolDetails } from "./bash.js";
import { toolDefinition } from "./definition.js";
import { createReplayEnv, SMALL } from "./fixtures/replay-env.js";
import type { Replay } from "./fixtures/replay-env.js";
import { referenceWindow } from "./fixtures/reference-window.js";
import { runTool } from "./fixtures/run-tool.js";
import type { ToolRun } from "./fixtures/run-tool.js";

const varied = Array.from({ length: 20 }, (_, index) => `cc -c src/${index}.c\nwarning: ${index * 7919}\n`);
const repetitive = Array.from({ length: 20 }, () => "make[1]: Nothing to be done for 'all'.\n".repeat(3));
const wide = Array.from({ length: 12 }, (_, index) => `🦊 ${index}: caf\u00e9 \u203a ${"\u{1F4E4}".repeat(index)}\n`);

const run = (replay: Replay, command = "make"): Promise<ToolRun> =>
  runTool(createBashTool({ output: SMALL }), createReplayEnv(replay), { command });

const textOps = (batches: readonly Batch[]): Batch =>
  batches.flat().filter(([verb, path]) => verb !== "r" && path.join() === "content,0,text");

/** The seed's tool states its totals in its details too, which the built-in one leaves to the state. */
const withoutOwnTotals = (batch: Batch): Batch =>
  batch.filter(([verb, path]) => verb === "r" || path.slice(0, 2).join() !== "details,truncation");

test.each([
  ["varied", varied],
  ["repetitive", repetitive],
  ["wide", wide],
])(
  "[T1] a tool written with the seed's names gives the same batches as bash, apart from its own totals: %s lines",
  async (_kind, portions) => {
    const replay: Replay = { portions, spillPath: "/spill/1.log", result: { exitCode: 2 } };
    const own = { ...createSeedTool(), output: SMALL };

    const [builtIn, seeded] = await Promise.all([
      run(replay),
      runTool(own, createReplayEnv(replay), { command: "make" }),
    ]);

    expect(seeded.batches.map(withoutOwnTotals)).toEqual(builtIn.batches);
    const { spillPath, truncation } = seeded.sink.snapshot().details as BashToolDetails;
    expect(truncation).toEqual(seeded.sink.snapshot().truncation);
    expect({ ...seeded.sink.snapshot(), details: { spillPath } }).toEqual(builtIn.sink.snapshot());
    expect([builtIn.text()]).toEqual(
      referenceWindow(portions.join(""), { retain: "tail", maxBytes: 400, maxLines: 30 }),
    );
    expect(builtIn.folded()).toEqual(builtIn.sink.snapshot());
  },
);

test("[T1] a tool that only ever states its text anew gives the same batches too, for repetitive lines", async () => {
  const replay: Replay = { portions: repetitive };
  const builtIn = await run(replay);

  const replacing = await runTool(
    {
      name: "replacing",
      description: "",
      parameters: { type: "object" },
      output: SMALL,
      async execute(_id, _params, _signal, out, { env }) {
        let text = "";
        await env.exec("make", {
          onUpdate: (update) => {
            if (update.kind === "replace") text = update.output.text;
            else if (update.kind !== "metadata")
              text = text.slice(update.kind === "slide" ? update.drop : 0) + update.text;
            out.replace(text);
          },
        });
      },
    },
    createReplayEnv(replay),
    {},
  );

  expect(replacing.batches).toEqual(builtIn.batches);
  expect(textOps(builtIn.batches).every(([verb]) => verb === "a" || verb === "t")).toBe(true);
  expect(textOps(builtIn.batches).filter(([verb]) => verb === "t").length).toBeGreaterThan(5);
});

test("[T6] each of the env's updates is one batch, handed out at once", async () => {
  const env = createReplayEnv({ portions: varied });

  const { batches, clock } = await runTool(createBashTool({ output: SMALL }), env, { command: "make" });

  const [opening, ...updates] = env.published;
  expect(opening?.kind).toBe("replace");
  expect(textOps(batches).filter(([verb]) => verb === "a")).toHaveLength(updates.length + 1);
  expect(clock.monotonic()).toBe(0);
});

test("[T2] details are the spill path alone, set once; totals are the state's, and cost no op until something is cut", async () => {
  const { batches, sink } = await run({ portions: varied, spillPath: "/spill/1.log" });

  const details = batches.flat().filter((op) => op[0] !== "r" && op[1][0] === "details");
  expect(details).toEqual([["s", ["details", "spillPath"], "/spill/1.log"]]);
  expect(sink.snapshot().details).toEqual({ spillPath: "/spill/1.log" });
  const firstTotals = batches.findIndex((batch) => batch.some((op) => op[0] !== "r" && op[1][0] === "truncation"));
  const firstCut = batches.findIndex((batch) => batch.some((op) => op[0] === "t"));
  expect(firstTotals).toBe(firstCut);
});

test("[T8] bash asks the env for all of it: folder, environment, timeout, caps and spill", async () => {
  const env = createReplayEnv({ portions: ["ok\n"] });

  await runTool(createBashTool({ output: SMALL }), env, { command: "make -j8", timeout: 90 });

  expect(env.asked).toHaveLength(1);
  expect(env.asked[0]).toMatchObject({
    command: "make -j8",
    options: {
      cwd: "/work",
      inheritEnv: true,
      timeout: 90,
      capture: { spill: true, limits: { ...SMALL, retain: "tail" } },
    },
  });
});

test.each([
  [{ exitCode: 2 }, "Command exited with code 2", "command_failed"],
  [{ exitCode: 127 }, "Command exited with code 127", "command_failed"],
])("[T4] an exit code fails the call and keeps its output: %o", async (result, message, code) => {
  const { text, notice, error } = await run({ portions: ["keep-me\n"], result });

  expect(text()).toBe("keep-me\n");
  expect(notice()).toBe(message);
  expect(error).toMatchObject({ code });
});

test("[T4] a command that a signal ended is a failure, though it has no exit code", async () => {
  const { notice, error } = await run({
    portions: ["keep-me\n"],
    failure: "signal",
    result: { exitCode: null, signal: "SIGSEGV" },
  });

  expect(notice()).toBe("Command was ended by SIGSEGV");
  expect(error).toMatchObject({ code: "command_signalled", cause: { code: "signal" } });
});

test("[T4] O30: a timeout keeps output, totals and spill, and says how long it was given", async () => {
  const env = createReplayEnv({
    portions: varied,
    failure: "timeout",
    spillPath: "/spill/1.log",
    result: { exitCode: null },
  });

  const { sink, text, notice } = await runTool(createBashTool({ output: SMALL }), env, { command: "make", timeout: 1 });

  expect(text()).toContain(varied.at(-1));
  expect(notice()).toMatch(/Command timed out after 1 s$/);
  expect(sink.snapshot()).toMatchObject({ details: { spillPath: "/spill/1.log" }, truncation: { totalLines: 40 } });
});

test("[T4] O30: an abort keeps what was printed and says when and why", async () => {
  const call = new AbortController();
  const env = createReplayEnv({ portions: ["keep-me\n", "more\n", "never\n"] });
  const published = env.published.push.bind(env.published);
  env.published.push = (...updates) => {
    if (env.published.length === 1) call.abort(new Error("the user stopped it"));
    return published(...updates);
  };

  const { text, notice, error } = await runTool(createBashTool(), env, { command: "make" }, { signal: call.signal });

  expect(text()).toBe("keep-me\nmore\n");
  expect(notice()).toBe("Command was aborted after 1.5 s: the user stopped it");
  expect(error).toMatchObject({ code: "command_aborted" });
});

test("[T4] what the env itself could not do is said in its words", async () => {
  const { notice, error } = await run({ portions: [], failure: "spawn_failed" });

  expect(notice()).toBe("The env says spawn_failed.");
  expect(error).toMatchObject({ code: "spawn_failed" });
});

test("[T7] the schema takes what it describes and nothing else", () => {
  expect(bashSchema.safeParse({ command: "ls", timeout: 0.5 }).success).toBe(true);
  for (const wrong of [{}, { command: "" }, { command: "ls", timeout: 0 }, { command: "ls", cwd: "/" }]) {
    expect(bashSchema.safeParse(wrong).success).toBe(false);
  }
  expect(toolDefinition(createBashTool()).parameters).toMatchObject({
    type: "object",
    properties: { command: { type: "string" }, timeout: { type: "number", exclusiveMinimum: 0 } },
    required: ["command"],
    additionalProperties: false,
  });
});
