import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, expect, test } from "vitest";
import { openTestEnv } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

const CANARY = "zz-canary-0123456789";
const places: TestEnv[] = [];
const open = (...options: Parameters<typeof openTestEnv>): TestEnv => {
  const place = openTestEnv(...options);
  places.push(place);
  return place;
};
afterEach(async () => {
  for (const place of places.splice(0)) await place.close();
});

/** All that an env told and wrote: updates, results, errors and the files of its folder. */
function tracesOf(place: TestEnv, told: unknown): string {
  const files = readdirSync(place.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  return [inspect(told, { depth: 20, showHidden: true, maxStringLength: Infinity }), ...files].join("\n");
}

test("[X19] a provider's key is in no environment, text, spill, log or error, even when a command finds it", async () => {
  const place = open({ environment: { ...process.env, OPENAI_API_KEY: CANARY } });
  expect(place.env.withheld).toContain("OPENAI_API_KEY");

  const told = [
    await place.run("env"),
    await place.run(
      `echo "key: ${CANARY}"; seq 1 3000; printf %s ${CANARY.slice(0, 9)}; sleep 0.1; printf %s ${CANARY.slice(9)}`,
      {
        capture: { spill: true },
      },
    ),
    await place.run(`echo now; (sleep 0.3; echo ${CANARY}) & true`),
    await place.run("true", { cwd: "nowhere" }),
    await place.run("env; sleep 60", { timeout: 0.2 }),
  ];
  await place.env.close();

  // The commands themselves were told to print it, so what names them is left out.
  expect(
    tracesOf(
      place,
      told.map(({ updates, view, result }) => [updates, view, result.ok || result.error.message]),
    ),
  ).not.toContain(CANARY);
  expect(told[1]?.view?.text.endsWith("[secret]")).toBe(true);
});

test("[X19] X40: variables of a call are told by nobody but the command", async () => {
  const place = open();

  const told = [
    await place.run('test -n "$TOKEN" && echo set', { env: { TOKEN: CANARY } }),
    await place.run("exit 3", { env: { TOKEN: CANARY } }),
    await place.run("true", { env: { TOKEN: CANARY }, cwd: "nowhere" }),
    await place.run(`: ${"x".repeat(140_000)}`, { env: { TOKEN: CANARY } }),
    await place.run("kill -9 $$", { env: { TOKEN: CANARY } }),
    await place.env.list(),
  ];

  expect(tracesOf(place, told)).not.toContain(CANARY);
  expect((await place.run("echo $TOKEN", { env: { TOKEN: CANARY } })).text).toBe(`${CANARY}\n`);
});

test("[X19] a name that is let through reaches the command", async () => {
  const place = open({ environment: { ...process.env, OPENAI_API_KEY: CANARY }, allow: ["OPENAI_API_KEY"] });

  expect((await place.run("echo $OPENAI_API_KEY")).text).toBe(`${CANARY}\n`);
  expect(place.env.withheld).not.toContain("OPENAI_API_KEY");
});

test("[X19] a command that inherits nothing still has a shell", async () => {
  const place = open({ environment: { ...process.env, MINE: "1" } });

  const { text } = await place.run('echo "${MINE-none} $A $TERM"; ls >/dev/null && echo found', {
    inheritEnv: false,
    env: { A: "2" },
  });

  expect(text).toBe("none 2 dumb\nfound\n");
});

test("[X9] nested runs keep the marker of the outer one", async () => {
  const place = open({ environment: { ...process.env, SPILLWAY_EXECUTION: "exec_outer" } });

  const { text, value } = await place.run("echo $SPILLWAY_EXECUTION");

  expect(text).toBe(`exec_outer:${value.executionId}\n`);
});

test("[X9] X12: no pager opens, and no editor", async () => {
  const place = open();
  writeFileSync(
    join(place.folder, "config"),
    "[user]\n name = a\n email = a@b\n[core]\n pager = less -+F\n editor = vi\n",
  );
  const env = { GIT_CONFIG_GLOBAL: join(place.folder, "config"), GIT_CONFIG_NOSYSTEM: "1" };
  await place.run("git init -q repo && cd repo && for i in $(seq 15); do git commit -q --allow-empty -m $i; done", {
    env,
  });
  const git = (command: string) => place.run(`git ${command}`, { env, cwd: "repo", timeout: 50 });

  const log = await git("log");
  const commit = await git("commit --allow-empty");
  const chosen = await git("-c core.editor=true commit --allow-empty --amend");

  expect(log.view?.truncation.totalLines).toBe(15 * 6 - 1);
  expect(commit.value.exitCode).toBe(1);
  expect(commit.text).toContain("No editor can be used here: give the text in the command");
  expect(chosen.value.exitCode).toBe(0);
});

test("[X9] over ssh too a shell reads no file of its user first", async () => {
  const home = mkdtempSync(join(tmpdir(), "spillway-home-"));
  writeFileSync(join(home, ".bashrc"), "echo noise\n");
  const place = open({ environment: { PATH: process.env["PATH"], HOME: home, SSH_CLIENT: "::1 1 22", SHLVL: "0" } });

  expect((await place.run("echo alone")).text).toBe("alone\n");
  rmSync(home, { recursive: true });
});

test("[X9] git asks nobody for a password", async () => {
  const place = open();

  const { text, value } = await place.run("git credential fill <<<$'protocol=https\\nhost=x.invalid\\n'", {
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    timeout: 50,
  });

  expect(value.exitCode).toBe(128);
  expect(text).toContain("terminal prompts disabled");
});
