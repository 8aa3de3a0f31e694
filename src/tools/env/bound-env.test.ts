import { expect, test } from "vitest";
import { failed, ok } from "../../exec/index.js";
import type { ExecContext, ExecutionEnv, ShellOutputUpdate } from "../../exec/index.js";
import type { ToolOutputSink } from "../contract.js";
import { openSink } from "../fixtures/consumed-sink.js";
import type { ConsumedSink } from "../fixtures/consumed-sink.js";
import { referenceWindow } from "../fixtures/reference-window.js";
import { createReplayEnv, SMALL } from "../fixtures/replay-env.js";
import type { Replay, ReplayEnv } from "../fixtures/replay-env.js";
import { bindEnv } from "./bound-env.js";

interface Bound extends ConsumedSink {
  readonly inner: ReplayEnv;
  readonly env: ExecutionEnv;
  readonly call: AbortController;
}

function bind(...replays: readonly Replay[]): Bound {
  const opened = openSink(SMALL);
  opened.sink.flush();
  const inner = createReplayEnv(...replays);
  const call = new AbortController();
  return { ...opened, inner, call, env: bindEnv(inner, opened.sink, { signal: call.signal }) };
}

const many = Array.from({ length: 40 }, (_, index) => `line ${index} of the build\n`);
const [lastLines] = referenceWindow(many.join(""), { retain: "tail", maxBytes: 400, maxLines: 30 });

test("[T3] a tool that only writes has the env's exact totals and is never over the cap", async () => {
  const { env, sink, text } = bind({ portions: many });

  await env.exec("make", {
    onUpdate: (update) => writeText(sink, update),
  });
  sink.settle();

  expect(text()).toBe(lastLines);
  expect(sink.snapshot().truncation).toMatchObject({
    truncated: true,
    totalLines: 40,
    totalBytes: many.join("").length,
  });
});

function writeText({ out }: ToolOutputSink, update: ShellOutputUpdate): void {
  if (update.kind === "replace") out.write(update.output.text);
  else if (update.kind !== "metadata") out.write(update.text);
}

test("[T3] the caps of an execution are the sink's, and an execution may ask for less but not for more", async () => {
  const { env, inner } = bind();

  await env.exec("a", {});
  await env.exec("b", { capture: { limits: { maxLines: 5, maxBytes: 1_000_000, retain: "head" } } });

  expect(inner.asked.map(({ options }) => options.capture?.limits)).toEqual([
    { retain: "tail", maxBytes: 400, maxLines: 30 },
    { retain: "head", maxBytes: 400, maxLines: 5 },
  ]);
});

test("[T6] the sink knows of an update before the tool does, and flushes after it", async () => {
  const { env, sink, batches } = bind({ portions: ["a\n", "b"] });
  const seen: unknown[] = [];

  await env.exec("make", {
    onUpdate: (update) => {
      seen.push([sink.snapshot().progress, batches.length]);
      writeText(sink, update);
    },
  });

  expect(seen).toEqual([
    [undefined, 1],
    ["b", 2],
    [undefined, 3],
  ]);
  expect(batches.slice(1)).toEqual([
    [["a", ["content", 0, "text"], "a\n"]],
    [["s", ["progress"], "b"]],
    [
      ["d", ["progress"]],
      ["a", ["content", 0, "text"], "b"],
    ],
  ]);
});

test("[T1] an execution without context and without onUpdate is stopped with the call, and shows nothing", async () => {
  const { env, inner, call, sink } = bind({ portions: many });
  call.abort(new Error("stop"));

  const ended = await env.exec("make", {});
  sink.out.write("own text\n");
  sink.settle();

  expect(ended).toMatchObject({ ok: false, error: { code: "aborted" } });
  expect(inner.asked[0]?.context.signal?.reason).toBe(call.signal.reason);
  expect(sink.snapshot()).toMatchObject({
    content: [{ text: "own text\n" }],
    truncation: { truncated: false, totalLines: 1, totalBytes: 9 },
  });
});

test("[T1] the call's note is made before the tool's, and both before the env goes on; a signal of the tool stops too", async () => {
  const order: string[] = [];
  const { sink } = openSink();
  const inner = createReplayEnv({ portions: ["x\n"] });
  const env = bindEnv(inner, sink, {
    signal: new AbortController().signal,
    prepared: async () => void order.push("call"),
  });
  const own = new AbortController();

  await env.exec(
    "make",
    { onUpdate: () => order.push("update") },
    { signal: own.signal, prepared: () => void order.push("tool") },
  );
  own.abort();

  expect(order.slice(0, 3)).toEqual(["call", "tool", "update"]);
  expect(inner.asked[0]?.context.signal?.aborted).toBe(true);
});

test("[T1] what a tool throws in its onUpdate stops the execution and is thrown to it, nowhere else", async () => {
  const fault = new Error("cannot read this");
  const { env, sink, text } = bind({ portions: ["a\n", "b\n", "c\n"] });
  let told = 0;

  const running = env.exec("make", {
    onUpdate: (update) => {
      told += 1;
      writeText(sink, update);
      if (told === 2) throw fault;
    },
  });

  await expect(running).rejects.toBe(fault);
  expect(told).toBe(2);
  expect(text()).toBe("a\nb\n");
});

test("[T1] a rejection of an async onUpdate is the tool's too", async () => {
  const { env } = bind({ portions: ["a\n", "b\n", "c\n"] });
  const rejecting: unknown = () => Promise.reject(new Error("later"));

  await expect(env.exec("make", { onUpdate: rejecting as () => void })).rejects.toThrow("later");
});

test("[T3] several executions of one call add up for a tool that writes, and each stands alone for one that replaces", async () => {
  const writing = bind({ portions: ["a\n"] }, { portions: ["b\n", "c\n"] });
  const replacing = bind({ portions: ["a\n"] }, { portions: ["b\n", "c\n"] });

  for (let index = 0; index < 2; index += 1) {
    await writing.env.exec("x", { onUpdate: (update) => writeText(writing.sink, update) });
    await replacing.env.exec("x", {
      onUpdate: (update) => {
        if (update.kind === "replace") replacing.sink.out.replace(update.output.text);
        else writeText(replacing.sink, update);
      },
    });
  }
  for (const { sink } of [writing, replacing]) sink.settle();

  expect(writing.text()).toBe("a\nb\nc\n");
  expect(writing.sink.snapshot().truncation).toMatchObject({ totalLines: 3, totalBytes: 6 });
  expect(replacing.text()).toBe("b\nc\n");
  expect(replacing.sink.snapshot().truncation).toMatchObject({ totalLines: 2, totalBytes: 4 });
});

test("[T3] what a tool wrote before its execution counts with it", async () => {
  const { env, sink, text } = bind({ portions: ["a\nb\n"] });

  sink.out.write("$ make: ");
  await env.exec("make", { onUpdate: (update) => writeText(sink, update) });
  sink.settle();

  expect(text()).toBe("$ make: a\nb\n");
  expect(sink.snapshot().truncation).toMatchObject({ totalLines: 2, totalBytes: 12 });
});

test("[T3] text beside an env's that makes the whole too long is bounded here, and slides go on", async () => {
  const { env, sink, text } = bind({ portions: many });
  const header = "h".repeat(100);

  sink.out.write(`${header}\n`);
  await env.exec("make", {
    onUpdate: (update) => {
      if (update.kind === "slide") sink.out.slide(update.drop, update.text);
      else writeText(sink, update);
      expect(sink.snapshot().content[0]).toSatisfy((block: { text: string }) => block.text.length <= 400);
    },
  });
  sink.settle();

  expect(text()).toBe(lastLines);
  expect(sink.snapshot().truncation).toMatchObject({ truncated: true, totalLines: 41 });
});

test("[T4] processes that were left or survived are named, also for an execution that shows nothing", async () => {
  const left = Array.from({ length: 7 }, (_, index) => ({ pid: index + 1, command: `server ${index + 1}` }));
  const survivors = [{ pid: 99, command: "stuck" }];
  const shown = bind({ portions: ["a\n"], result: { left } });
  const silent = bind({ portions: ["a\n"], result: { survivors } });

  await shown.env.exec("x", { onUpdate: (update) => writeText(shown.sink, update) });
  await silent.env.exec("x", {});
  for (const { sink } of [shown, silent]) sink.settle();

  expect(shown.notice()).toMatch(
    /^Still running, until the session is closed at the latest: process 1 \(server 1\), .*process 5 \(server 5\) and 2 more\.$/,
  );
  expect(silent.notice()).toBe("Could not be stopped: process 99 (stuck).");
});

test("[T5] details that grow too large during an execution are thrown by it", async () => {
  const { env, sink, folded } = bind({ portions: ["a\n"] });
  sink.out.details = { list: [] as string[] };

  const running = env.exec("x", {
    onUpdate: () => (sink.out.details as { list: string[] }).list.push("x".repeat(300_000)),
  });

  await expect(running).rejects.toMatchObject({ code: "details_too_large" });
  expect(folded()?.details).toEqual({ list: [] });
});

test("[T1] a tool cannot close its env, and what it starts is told of the call but not stopped with it", async () => {
  const { sink } = openSink(SMALL);
  const started: ExecContext[] = [];
  const prepared: string[] = [];
  const inner: ExecutionEnv = {
    ...createReplayEnv(),
    start: async (command, _options, context = {}) => {
      await context.prepared?.({ executionId: "x1", marker: "m1" });
      started.push(context);
      return ok({ executionId: "x1", command, cwd: "/", state: "running", startedAt: 0, pids: [] });
    },
    attach: async () => failed({ code: "execution_unknown" } as never),
    list: async () => [],
    kill: async (executionId) => ok({ executionId, survivors: [] }),
  };
  const env = bindEnv(inner, sink, {
    signal: AbortSignal.abort(),
    prepared: (plan) => void prepared.push(plan.executionId),
  });

  await env.start("server", {});

  expect(prepared).toEqual(["x1"]);
  expect(started[0]?.signal).toBeUndefined();
  await expect(env.close()).rejects.toMatchObject({ code: "not_allowed" });
  expect(await env.list()).toEqual([]);
  expect(await env.kill("x1")).toMatchObject({ ok: true });
  expect(await env.attach("x9", { onUpdate: () => {} })).toMatchObject({ ok: false });
});

test("[T3] an execution that is attached to reaches the sink as one that was run", async () => {
  const { sink, text } = openSink(SMALL);
  const replay = createReplayEnv({ portions: many });
  const inner: ExecutionEnv = {
    ...replay,
    attach: (_id, options, context) => replay.exec("", { ...options, capture: { limits: SMALL } }, context),
  };
  const env = bindEnv(inner, sink, { signal: new AbortController().signal });

  await env.attach("x1", {
    onUpdate: (update) => {
      if (update.kind === "replace") sink.out.replace(update.output.text);
      else if (update.kind === "slide") sink.out.slide(update.drop, update.text);
      else writeText(sink, update);
    },
  });
  sink.settle();

  expect(text()).toBe(lastLines);
  expect(sink.snapshot().truncation).toMatchObject({ totalLines: 40 });
});
