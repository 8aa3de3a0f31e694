import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../clock.js";
import { fixture, openTestEnv } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

const RUNS = process.env["CI"] === "true" ? 500 : 10;

let place: TestEnv;
beforeAll(() => {
  place = openTestEnv();
});
afterAll(() => place.close());

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

test(
  "[X10] O22, X09: commands that print and end at once are never empty, under load",
  { timeout: 240_000 },
  async () => {
    const load = Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
    );
    try {
      for (let run = 0; run < RUNS; run += 1) {
        const [one, both] = await Promise.all([place.run("printf x"), place.run("printf tail; printf err >&2")]);
        expect([one.value.exitCode, both.value.exitCode]).toEqual([0, 0]);
        expect(one.text).toBe("x");
        expect(["tailerr", "errtail"]).toContain(both.text);
      }
    } finally {
      for (const child of load) child.kill("SIGKILL");
    }
  },
);

test("[X6] X10: each stream keeps its order; one descriptor for both keeps the order of all", async () => {
  const program = `node ${fixture("alternate-writes.mjs")} 200`;
  const numbers = Array.from({ length: 200 }, (_, number) => number);

  const apart = linesOf((await place.run(program)).text).map(Number);
  const shared = linesOf((await place.run(`${program} 2>&1`)).text).map(Number);

  expect(apart.filter((number) => number % 2 === 0)).toEqual(numbers.filter((number) => number % 2 === 0));
  expect(apart.filter((number) => number % 2 === 1)).toEqual(numbers.filter((number) => number % 2 === 1));
  expect(shared).toEqual(numbers);
});

test("[X16] the pipes can be opened again by name", async () => {
  const { value, text } = await place.run(
    "echo a >/dev/stdout; echo b >/dev/stderr; echo c >/dev/fd/2; echo d | tee /dev/stderr; echo e >/proc/self/fd/1",
  );

  expect(value.exitCode).toBe(0);
  expect(linesOf(text).toSorted()).toEqual(["a", "b", "c", "d", "d", "e"]);
});

test("[X16] standard output and error are pipes, as a program sees them", async () => {
  expect((await place.run("test -p /dev/stdout && test -p /dev/stderr && echo pipes")).text).toBe("pipes\n");
});

test("[X10] what a process substitution still prints is part of the call", async () => {
  // The grace, made long enough for the slowest machine: the call ends with the pipes, not with it.
  const clock = { ...systemClock, after: (ms: number, callback: () => void) => systemClock.after(ms * 500, callback) };
  const own = openTestEnv({ clock });

  const { text, value } = await own.run("seq 1 2000 > >(sleep 0.1; tail -n 1)");
  await own.close();

  expect(text).toBe("2000\n");
  expect(value.left).toEqual([]);
});

test("[X10] all that a command has written when it exits is read", async () => {
  const { value } = await place.run("head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2");

  expect(value.truncation.totalBytes).toBe(5_000_000);
});

test("[X10] O10: a cap on what is shown neither stops the command nor stalls it", async () => {
  const { value } = await place.run("seq 1 400000; touch done.flag; exit 0");

  expect(value).toMatchObject({ exitCode: 0, truncation: { truncated: true, totalLines: 400_000 } });
  expect((await place.run("ls done.flag")).text).toBe("done.flag\n");
});

test("[X10] commands that close their output early are waited for", async () => {
  const { value } = await place.run("exec >&- 2>&-; sleep 0.2; exit 9");

  expect(value.exitCode).toBe(9);
});

test("[X11] X13: a writer whose reader has gone is told so by its shell, and nothing here is harmed", async () => {
  const { text, value } = await place.run(`node ${fixture("ignore-broken-pipe.mjs")} | head -n 2`);

  expect(linesOf(text).toSorted()).toEqual(["0", "1", "went on"]);
  expect(value.exitCode).toBe(0);
});

test.each([
  ["cat; echo read nothing", "read nothing"],
  ["read x; echo $?", "1"],
  ["read x </dev/tty || echo no terminal", "no terminal"],
  ["tty", "not a tty"],
  ["ps -o tty= -p $$ | tr -d ' '", "?"],
])("[X9] X11: %j does not wait for a person", async (command, line) => {
  const { text } = await place.run(command, { timeout: 50 });

  expect(linesOf(text)).toContain(line);
});

test("[X9] the shell leads a session and a group of its own", async () => {
  const [pid, group, session] = (await place.run("echo $(ps -o pid=,pgid=,sid= -p $$)")).text.trim().split(" ");

  expect(group).toBe(pid);
  expect(session).toBe(pid);
  expect(session).not.toBe(String(process.pid));
});

test("[X6] commands that run at once do not mix", async () => {
  const numbers = Array.from({ length: 30 }, (_, number) => number);

  const texts = await Promise.all(
    numbers.map(async (number) => (await place.run(`echo ${number}; echo ${number} >&2`)).text),
  );

  expect(texts).toEqual(numbers.map((number) => `${number}\n${number}\n`));
});
