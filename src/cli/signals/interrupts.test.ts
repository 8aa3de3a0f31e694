import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { ManualClock } from "../fixtures/clock.js";
import { listenForInterrupts } from "./interrupts.js";

function listen(): { source: EventEmitter; clock: ManualClock; calls: string[]; release: () => void } {
  const source = new EventEmitter();
  const clock = new ManualClock();
  const calls: string[] = [];
  const release = listenForInterrupts(source, clock, {
    stop: (signal) => calls.push(`stop ${signal}`),
    leave: (signal) => calls.push(`leave ${signal}`),
  });
  return { source, clock, calls, release };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"])("[R3] the first %s stops, the second leaves", (signal) => {
  const { source, clock, calls } = listen();

  source.emit(signal, signal);
  clock.pass(1_000);
  source.emit(signal, signal);

  expect(calls).toEqual([`stop ${signal}`, `leave ${signal}`]);
});

test("[R3] the same signal within 200 ms is the same press, another one is not", () => {
  const { source, clock, calls } = listen();

  source.emit("SIGINT", "SIGINT");
  clock.pass(150);
  source.emit("SIGINT", "SIGINT");
  expect(calls).toEqual(["stop SIGINT"]);
  source.emit("SIGTERM", "SIGTERM");

  expect(calls).toEqual(["stop SIGINT", "leave SIGTERM"]);
});

test("[R3] after the release no signal is listened for", () => {
  const { source, calls, release } = listen();

  release();

  expect(source.eventNames()).toEqual([]);
  source.emit("SIGINT", "SIGINT");
  expect(calls).toEqual([]);
});
