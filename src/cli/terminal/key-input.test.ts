import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { listenForKeys } from "./key-input.js";

class Keyboard extends EventEmitter {
  readonly calls: string[] = [];
  setRawMode = (isRaw: boolean): void => void this.calls.push(`raw ${isRaw}`);
  setEncoding = (): void => undefined;
  resume = (): void => void this.calls.push("resume");
  pause = (): void => void this.calls.push("pause");
}

function listen(): { stdin: Keyboard; keys: string[]; signals: string[]; stop: () => void } {
  const stdin = new Keyboard();
  const keys: string[] = [];
  const signals: string[] = [];
  const source = { pid: 7, stdin, kill: (pid: number, signal: string) => signals.push(`${signal} to ${pid}`) };
  return { stdin, keys, signals, stop: listenForKeys(source, (key) => keys.push(key)) };
}

test("[R29] single keys are told, what comes in a piece is not, and the terminal is given back", () => {
  const { stdin, keys, stop } = listen();

  for (const text of ["y", "\u001b[A", "yes, paste this", "n"]) stdin.emit("data", text);
  stop();
  stdin.emit("data", "a");

  expect(keys).toEqual(["y", "n"]);
  expect(stdin.calls).toEqual(["raw true", "resume", "pause", "raw false"]);
});

test.each([
  ["\u0003", "SIGINT"],
  ["\u001c", "SIGQUIT"],
  ["\u001a", "SIGTSTP"],
  ["yy\u0003", "SIGINT"],
])("[R29] %j sends what the terminal would have sent", (text, signal) => {
  const { stdin, keys, signals } = listen();

  stdin.emit("data", text);

  expect([signals, keys]).toEqual([[`${signal} to 7`], []]);
});
