import { afterEach, beforeEach, expect, test } from "vitest";
import type { AttachOptions } from "../contract.js";
import { applyShellOutputUpdate } from "../output/fold-view.js";
import type { ShellOutputUpdate, ShellOutputView } from "../output/view.js";
import { getOrThrow } from "../result.js";
import { createManualClock } from "./fixtures/manual-clock.js";
import { openTestEnv, processesWith, uniqueSeconds, until } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

let place: TestEnv;
beforeEach(() => {
  place = openTestEnv();
});
afterEach(() => place.close());

/** Goes on when the file `go` is there. */
const GATE = "while [ ! -e go ]; do sleep 0.02; done";

const start = async (command: string): Promise<string> => getOrThrow(await place.env.start(command, {})).executionId;

function createFollower(): AttachOptions & {
  readonly kinds: string[];
  readonly view: () => ShellOutputView | undefined;
} {
  let view: ShellOutputView | undefined;
  const kinds: string[] = [];
  return {
    kinds,
    view: () => view,
    onUpdate(update: ShellOutputUpdate) {
      kinds.push(update.kind);
      view = applyShellOutputUpdate(view, update);
    },
  };
}

test("[X12] an execution goes on without a caller and is followed from a bounded replace to its end", async () => {
  const id = await start(`echo before; ${GATE}; echo after; exit 3`);
  expect(await place.env.list()).toMatchObject([{ executionId: id, state: "running", cwd: place.folder }]);
  const follower = createFollower();

  const attached = place.env.attach(id, follower);
  await place.run("touch go");
  const { exitCode, executionId } = getOrThrow(await attached);

  expect([exitCode, executionId]).toEqual([3, id]);
  expect(follower.kinds[0]).toBe("replace");
  expect(follower.view()?.text).toBe("before\nafter\n");
  expect(await place.env.list()).toEqual([]);
});

test("[X12] several follow one execution, each from where it joined, to the same view", async () => {
  const id = await start(`seq 1 4000; ${GATE}; seq 4001 8000`);
  const followers = [createFollower(), createFollower(), createFollower()];
  const [first] = followers;

  const attached = followers.map((follower) => place.env.attach(id, follower));
  await until(() => first?.view()?.text.includes("4000\n") ?? false);
  const late = createFollower();
  attached.push(place.env.attach(id, late));
  await place.run("touch go");
  await Promise.all(attached);

  expect(first?.view()?.truncation.totalLines).toBe(8_000);
  for (const follower of [...followers, late]) expect(follower.view()).toEqual(first?.view());
});

test("[X12] a result waits until it is collected, once", async () => {
  const id = await start("echo done; exit 5");
  await until(async () => (await place.env.list())[0]?.state === "ended");
  const follower = createFollower();

  expect(getOrThrow(await place.env.attach(id, follower)).exitCode).toBe(5);
  expect(follower.view()?.text).toBe("done\n");
  expect(await place.env.attach(id, {})).toMatchObject({ ok: false, error: { code: "execution_unknown" } });
});

test("[X12] aborting an attached caller, or its failing, lets only it go", async () => {
  const id = await start(`echo ready; ${GATE}; exit 6`);
  const stop = new AbortController();
  const cause = new Error("cannot take it");

  const detached = place.env.attach(id, {}, { signal: stop.signal });
  const broken = await place.env.attach(id, {
    onUpdate() {
      throw cause;
    },
  });
  stop.abort();

  expect(broken).toMatchObject({ ok: false, error: { code: "internal", cause } });
  expect(await detached).toMatchObject({ ok: false, error: { code: "aborted" } });
  const staying = place.env.attach(id, {});
  await place.run("touch go");
  expect(getOrThrow(await staying).exitCode).toBe(6);
});

test("[X12] a caller of exec can be joined by others", async () => {
  const run = place.begin(`echo one; ${GATE}; echo two`);
  await run.shows("one");
  const [info] = await place.env.list();
  const follower = createFollower();

  const attached = place.env.attach(info?.executionId ?? "", follower);
  await place.run("touch go");

  expect(getOrThrow(await attached).exitCode).toBe(0);
  expect(follower.view()).toEqual((await run.ended).view);
});

test("[X12] what was started ends when the env is closed, and who follows is told", async () => {
  const seconds = uniqueSeconds();
  const attached = place.env.attach(await start(`sleep ${seconds}`), {});

  await place.env.close();

  expect(await attached).toMatchObject({ ok: false, error: { code: "env_closed" } });
  expect(processesWith(seconds)).toEqual([]);
});

test("[X12] results that nobody collects are dropped after a day", async () => {
  const clock = createManualClock();
  const own = openTestEnv({ clock });
  getOrThrow(await own.env.start("true", {}));
  await until(async () => (await own.env.list())[0]?.state === "ended");

  await clock.pass(24 * 3_600_000 - 1);
  expect(await own.env.list()).toHaveLength(1);
  await clock.pass(2);
  expect(await own.env.list()).toEqual([]);
  await own.close();
});
