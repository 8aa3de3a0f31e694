import { expect, test } from "vitest";
import { commandEnvironment, inheritEnvironment } from "./command-environment.js";
import type { Environment, WithholdOptions } from "./command-environment.js";

const KEY = "sk-canary-0123456789";

function environmentOf(base: Environment, options: WithholdOptions = {}, own?: Record<string, string>) {
  const inherited = inheritEnvironment(base, options);
  return commandEnvironment({ inherited, inheritEnv: true, own, marker: "exec_a" });
}

test("[X19] what the harness holds is withheld, named, and its value a secret", () => {
  const inherited = inheritEnvironment(
    { PATH: "/bin", OPENAI_API_KEY: KEY, MINE: "my-own-secret" },
    { withhold: ["MINE"] },
  );

  expect(inherited.variables).toEqual({ PATH: "/bin" });
  expect(inherited.withheld).toEqual(["MINE", "OPENAI_API_KEY"]);
  expect(inherited.secrets.toSorted()).toEqual(["my-own-secret", KEY].toSorted());
});

test("[X19] a name that is let through is inherited and no secret", () => {
  const inherited = inheritEnvironment(
    { OPENAI_API_KEY: KEY },
    { withhold: ["OPENAI_API_KEY"], allow: ["OPENAI_API_KEY"] },
  );

  expect(inherited.variables).toEqual({ OPENAI_API_KEY: KEY });
  expect(inherited.withheld).toEqual([]);
  expect(inherited.secrets).toEqual([]);
});

test.each([
  ["postgres", false],
  ["12345678", false],
  ["short1", false],
  ["", false],
  ["hunter22", true],
  ["a-longer-pass", true],
  ["abcdefghijklmnopqrst", true],
])("[X19] whether %j is worth hiding in output: %s", (value, hidden) => {
  expect(inheritEnvironment({ PGPASSWORD: value }, {}).secrets).toEqual(hidden ? [value] : []);
});

test("[X19] without inheriting, a command gets nothing of the environment, and values stay secret all the same", () => {
  const inherited = inheritEnvironment({ HOME: "/home/a", OPENAI_API_KEY: KEY }, {});

  const environment = commandEnvironment({ inherited, inheritEnv: false, own: { A: "1" }, marker: "exec_a" });

  expect(environment).not.toHaveProperty("HOME");
  expect(environment).toMatchObject({ A: "1", TERM: "dumb", SPILLWAY_EXECUTION: "exec_a" });
  expect(inherited.secrets).toEqual([KEY]);
});

test("[X9] the marker joins those of executions that this process runs in, whatever the command sets", () => {
  const base = { SPILLWAY_EXECUTION: "exec_outer:exec_mid" };

  const environment = environmentOf(base, {}, { SPILLWAY_EXECUTION: "forged" });

  expect(environment["SPILLWAY_EXECUTION"]).toBe("exec_outer:exec_mid:exec_a");
});

test("[X9] pagers pass text on, prompts and editors fail, whatever the user has set", () => {
  const environment = environmentOf({ TERM: "xterm", PAGER: "less", GIT_EDITOR: "vim", VISUAL: "vim", EDITOR: "nano" });

  expect(environment).toMatchObject({
    TERM: "dumb",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    VISUAL: "false",
    EDITOR: "false",
  });
  expect(environment).not.toHaveProperty("GIT_EDITOR");
});

test("[X9] a command's own variables win over all but the marker", () => {
  expect(environmentOf({}, {}, { TERM: "xterm", PAGER: "less" })).toMatchObject({ TERM: "xterm", PAGER: "less" });
});

test("[X9] the editor of git is added to configuration that is there already", () => {
  const environment = environmentOf({ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "user.name", GIT_CONFIG_VALUE_0: "A" });

  expect(environment).toMatchObject({
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_KEY_1: "core.editor",
  });
});

test("[X19] names such as __proto__ are variables like others", () => {
  const base: Environment = JSON.parse('{"__proto__": "x", "constructor": "y"}');

  const environment = environmentOf(base);

  expect(Object.getOwnPropertyDescriptor(environment, "__proto__")?.value).toBe("x");
  expect(environment["constructor"]).toBe("y");
});
