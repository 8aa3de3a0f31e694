import { expect, test } from "vitest";
import { ManualTimer } from "./fixtures/manual-timer.js";
import { ScriptedConnection } from "./fixtures/scripted-host.js";
import { ConnectionError, follow } from "./index.js";
import type { ConnectionErrorCode, Following, FollowOptions, FollowState } from "./index.js";

interface Text {
  text: string;
}

/** Follows connections that the test scripts, in time that the test moves. */
class Stage {
  readonly time = new ManualTimer();
  readonly connections: ScriptedConnection[] = [];
  readonly states: [FollowState, string | undefined][] = [];
  readonly following: Following<Text>;
  readonly #waiting = new Set<() => void>();

  constructor(options: Partial<FollowOptions> = {}) {
    this.following = follow<Text>({
      connect: () => {
        const connection = new ScriptedConnection();
        this.connections.push(connection);
        return connection.connection;
      },
      timer: this.time.timer,
      random: () => 0.5,
      onState: (state, why) => {
        this.states.push([state, why?.code]);
        for (const look of this.#waiting) look();
      },
      ...options,
    });
  }

  get last(): ScriptedConnection {
    const last = this.connections.at(-1);
    if (last === undefined) throw new Error("no connection was made");
    return last;
  }

  /** Resolves when the state has been entered for the `count`-th time. */
  async until(state: FollowState, count = 1): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.states.filter(([entered]) => entered === state).length < count) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  async value(text: string): Promise<void> {
    if (this.following.consumer.value?.text === text) return;
    await new Promise<void>((resolve) => {
      const leave = this.following.consumer.onChange(({ value }) => {
        if (value.text !== text) return;
        leave();
        resolve();
      });
    });
  }
}

test("[C1] X27: a stream is followed past events of unknown types from its base to its end, which is final", async () => {
  const stage = new Stage();
  stage.last.open();
  stage.last.message(4, [["r", { text: "a" }]]);
  stage.last.write("event: heartbeat\ndata: {}\n\nevent: later-invention\ndata: x\n\n");
  stage.last.message(5, [["a", ["text"], "b"]]);
  stage.last.end();

  expect(await stage.following.ended).toEqual({ reason: "end" });
  expect(stage.following.consumer.value).toEqual({ text: "ab" });
  expect(stage.states.map(([state]) => state)).toEqual(["connecting", "following", "ended"]);
  expect(stage.connections.map(({ isClosed }) => isClosed)).toEqual([true]);
});

test.each([
  ["ends", undefined, "cut"],
  ["fails", new Error("reset"), "unreachable"],
])("[C2] a connection that %s is followed by another one, whose base is taken", async (_name, error, code) => {
  const stage = new Stage();
  stage.last.message(0, [["r", { text: "a" }]]);
  stage.last.cut(error);
  await stage.until("waiting");
  expect(stage.states.at(-1)).toEqual(["waiting", code]);
  expect(stage.following.consumer.value).toEqual({ text: "a" });

  stage.time.advance(150);
  await stage.until("connecting", 2);
  stage.last.message(0, [["r", { text: "whole" }]]);
  stage.last.end();

  await stage.following.ended;
  expect(stage.following.consumer.value).toEqual({ text: "whole" });
});

// X30 of the reports: a connection that dies without a close.
test("[C1] silence of 15 s is a cut, and any byte breaks it", async () => {
  const stage = new Stage();
  stage.last.message(0, [["r", { text: "a" }]]);
  await stage.until("following");
  stage.time.advance(14_999);
  stage.last.message(1, [["a", ["text"], "b"]]);
  await stage.value("ab");
  stage.time.advance(14_999);
  expect(stage.connections).toHaveLength(1);

  stage.time.advance(1);

  await stage.until("waiting");
  expect(stage.states.at(-1)).toEqual(["waiting", "silent"]);
  expect(stage.last.isClosed).toBe(true);
});

test.each<[string, ConnectionErrorCode, (host: ScriptedConnection) => void]>([
  ["a gap", "doubt", (host) => host.message(9, [["a", ["text"], "x"]])],
  ["an op that does not fit", "doubt", (host) => host.message(1, [["a", ["other"], "x"]])],
  ["data that is no JSON", "doubt", (host) => host.write("data: {oops\n\n")],
  ["data that is no message", "doubt", (host) => host.write("data: null\n\n")],
  // O18 of the reports: a frame of 20 MB from a hostile host.
  ["an event of 20 MB", "frame_too_large", (host) => host.write(`data: ${"x".repeat(20_000_000)}\n\n`)],
])("[C2] %s leads to a new connection, for %s, with the last value kept", async (_name, code, misbehave) => {
  const stage = new Stage();
  stage.last.message(0, [["r", { text: "a" }]]);
  misbehave(stage.last);
  await stage.until("waiting");

  expect(stage.states.at(-1)).toEqual(["waiting", code]);
  expect(stage.last.isClosed).toBe(true);
  expect(stage.following.consumer.value).toEqual({ text: "a" });
});

// O34 of the reports: what an old connection still says is heard by nobody.
test("[C2] after a doubt nothing more of the old connection is taken", async () => {
  const stage = new Stage();
  const old = stage.last;
  old.message(0, [["r", { text: "a" }]]);
  old.message(5, []);
  await stage.until("waiting");
  stage.time.advance(150);
  await stage.until("connecting", 2);
  stage.last.message(7, [["r", { text: "new" }]]);
  await stage.value("new");

  old.message(8, [["a", ["text"], " from the old one"]]);
  stage.last.message(8, [["a", ["text"], "!"]]);
  stage.last.end();

  await stage.following.ended;
  expect(stage.following.consumer.value).toEqual({ text: "new!" });
});

test("[C1] pauses grow to 5 s, half of each by chance, and start over after a connection that lasted", async () => {
  const stage = new Stage({ random: () => 0.5 });
  const pauses: number[] = [];
  const failOnce = async (count: number): Promise<void> => {
    stage.last.cut();
    await stage.until("waiting", count);
    const [pause = 0] = stage.time.delays;
    pauses.push(pause);
    stage.time.advance(pause);
    await stage.until("connecting", count + 1);
  };
  for (let count = 1; count <= 7; count += 1) await failOnce(count);
  expect(pauses).toEqual([150, 300, 600, 1_200, 2_400, 3_750, 3_750]);

  stage.last.message(0, [["r", { text: "a" }]]);
  await stage.until("following");
  stage.time.advance(10_000);
  await failOnce(8);
  expect(pauses.at(-1)).toBe(150);
});

test.each([
  [401, "refused"],
  [404, "refused"],
])("[C1] an answer of %i ends the following as %s", async (status, code) => {
  const refusal = new ConnectionError("refused", "no", { status });
  const stage = new Stage();
  stage.last.cut(refusal);

  expect(await stage.following.ended).toEqual({ reason: "refused", error: refusal });
  expect(stage.states.at(-1)).toEqual(["ended", code]);
});

test("[W1] a host of a later protocol is not followed", async () => {
  const stage = new Stage();
  stage.last.open(3);

  expect(await stage.following.ended).toMatchObject({ reason: "refused", error: { code: "protocol_mismatch" } });
});

test("[C1] a host that cannot be asked at all is tried again", async () => {
  let tries = 0;
  const stage = new Stage({
    connect: () => {
      tries += 1;
      throw new Error("no such socket");
    },
  });
  await stage.until("waiting");
  stage.time.advance(150);
  await stage.until("waiting", 2);

  expect(tries).toBe(2);
  stage.following.stop();
  expect(await stage.following.ended).toEqual({ reason: "stopped" });
});

test.each(["connecting", "following", "waiting"] as const)(
  "[C1] stopping while %s ends at once and leaves no timer",
  async (state) => {
    const stage = new Stage();
    if (state !== "connecting") stage.last.message(0, [["r", { text: "a" }]]);
    if (state === "waiting") stage.last.cut();
    await stage.until(state);

    stage.following.stop();

    expect(await stage.following.ended).toEqual({ reason: "stopped" });
    expect(stage.time.delays).toEqual([]);
    expect(stage.last.isClosed).toBe(true);
  },
);
