import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocalEnv } from "./local-env.js";
import { openTestEnv } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

let place: TestEnv;
beforeAll(() => {
  place = openTestEnv();
});
afterAll(() => place.close());

test.each([
  ["true", 0],
  ["exit 3", 3],
  ["no-such-program-anywhere", 127],
  ["/", 126],
  ["false", 1],
  ["yes | head -n 2", 0],
  ["set -o pipefail; yes | head -n 2", 141],
  ["bash -c 'kill -TERM $$'; exit $?", 143],
])("[X11] the exit code of %j is %i, as its shell gives it", async (command, exitCode) => {
  const { value } = await place.run(command);

  expect(value).toMatchObject({ exitCode, signal: null, left: [], survivors: [], containment: "group+marker" });
  expect(value.executionId).toMatch(/^exec_[a-z0-9]{16}$/);
});

test("[X11] a shell that dies of a signal is a failure that names it and keeps the output", async () => {
  const { error, text } = await place.run("echo before; kill -KILL $$");

  expect(error).toMatchObject({ code: "signal", result: { exitCode: null, signal: "SIGKILL" } });
  expect(error.message).toContain("SIGKILL");
  expect(text).toBe("before\n");
});

test("[X11] a working folder that is missing or a file is a spawn_failed that names it", async () => {
  writeFileSync(join(place.folder, "file"), "");

  const missing = await place.run("true", { cwd: "none" });
  const file = await place.run("true", { cwd: join(place.folder, "file") });

  expect(missing.error).toMatchObject({ code: "spawn_failed", result: undefined });
  expect(missing.error.message).toBe(`the working folder ${join(place.folder, "none")} does not exist`);
  expect(file.error.message).toBe(`the working folder ${join(place.folder, "file")} is not a folder`);
});

test("[X11] a working folder that vanishes before the spawn is named too", async () => {
  const cwd = join(place.folder, "short-lived");
  mkdirSync(cwd);
  const { rmdir } = await import("node:fs/promises");

  const { error } = await place.run("true", { cwd }, { prepared: () => rmdir(cwd) });

  expect(error.message).toBe(`the working folder ${cwd} does not exist`);
});

test("[X11] a relative working folder lies in the env's own", async () => {
  mkdirSync(join(place.folder, "inner"));

  expect((await place.run("pwd", { cwd: "inner" })).text).toBe(`${join(place.folder, "inner")}\n`);
  expect((await place.run("pwd")).text).toBe(`${place.folder}\n`);
});

test("[X11] a command that the system cannot take says how large it is and what to do", async () => {
  const { error } = await place.run(`: ${"x".repeat(131_072)}`);

  expect(error.code).toBe("spawn_failed");
  expect(error.message).toContain(
    "the command has 131074 bytes and the system takes at most 131071; write it to a file",
  );
});

test.each([
  ["", {}, "command is empty"],
  ["echo \0", {}, "command holds a NUL"],
  ["true", { timeout: 0 }, "timeout is 0; give seconds, more than 0"],
  ["true", { timeout: -1 }, "timeout is -1"],
  ["true", { timeout: Number.NaN }, "timeout is NaN"],
  ["true", { timeout: 2_147_484 }, "at most 2147483"],
  ["true", { env: { "A=B": "1" } }, 'a variable named "A=B"'],
  ["true", { env: { A: "\0" } }, "the value of the variable A holds a NUL"],
])("[X11] %j with %j is an invalid_argument", async (command, options, message) => {
  const { error } = await place.run(command, options);

  expect(error.code).toBe("invalid_argument");
  expect(error.message).toContain(message);
});

test("[X11] a spill without a folder for it is an invalid_argument", async () => {
  const bare = openTestEnv({ spillFolder: undefined });

  const { error } = await bare.run("true", { capture: { spill: true } });
  await bare.close();

  expect(error).toMatchObject({ code: "invalid_argument", message: expect.stringContaining("spillFolder") });
});

test("[X9] the plan is known before anything is spawned", async () => {
  const order: string[] = [];
  const marker = join(place.folder, "spawned");

  const { value, text } = await place.run(
    `touch ${marker}; echo $SPILLWAY_EXECUTION`,
    { capture: { spill: true } },
    {
      async prepared(plan) {
        await new Promise(setImmediate);
        order.push(plan.executionId, plan.marker, plan.spillPath ?? "");
        const { existsSync } = await import("node:fs");
        order.push(String(existsSync(marker)));
      },
    },
  );

  const { executionId } = value;
  expect(order).toEqual([executionId, executionId, join(place.spillFolder, `${executionId}.log`), "false"]);
  expect(text.trim().split(":").at(-1)).toBe(executionId);
});

test("[X9] what fails before the spawn stops it", async () => {
  const cause = new Error("the disk is full");
  const marker = join(place.folder, "never");

  const { error } = await place.run(`touch ${marker}`, {}, { prepared: () => Promise.reject(cause) });

  expect(error).toMatchObject({ code: "spawn_failed", cause });
  expect(error.message).toContain("the disk is full");
  expect((await place.run(`test -e ${marker}`)).value.exitCode).toBe(1);
});

test("[X9] a caller that has aborted already, or does meanwhile, starts nothing", async () => {
  const late = new AbortController();
  let plans = 0;
  const prepared = (): void => {
    plans += 1;
    late.abort();
  };

  const early = await place.run("touch early", {}, { signal: AbortSignal.abort(), prepared });
  expect(plans).toBe(0);
  const meanwhile = await place.run("touch meanwhile", {}, { signal: late.signal, prepared });

  expect([early.error.code, meanwhile.error.code]).toEqual(["aborted", "aborted"]);
  expect((await place.run("ls early meanwhile 2>/dev/null")).text).toBe("");
});

test("[X11] an env that was closed says so", async () => {
  const closed = openTestEnv();
  await closed.close();

  expect((await closed.run("true")).error.code).toBe("env_closed");
  expect(await closed.env.attach("exec_x", {})).toMatchObject({ ok: false, error: { code: "env_closed" } });
});

test("[X11] an env that cannot be made says why", () => {
  const environment = process.env;

  expect(() => createLocalEnv({ cwd: "/", environment, platform: "win32" })).toThrow(
    expect.objectContaining({ code: "unsupported_platform", message: expect.stringContaining("WSL") }),
  );
  expect(() => createLocalEnv({ cwd: "here", environment })).toThrow('cwd is "here"; give an absolute path');
  expect(() => createLocalEnv({ cwd: "/", environment, maxSpillBytes: -1 })).toThrow("maxSpillBytes is -1");
});
