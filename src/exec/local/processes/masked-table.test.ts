import { expect, test } from "vitest";
import { toTableProcess } from "../fixtures/fake-processes.js";
import { uniqueSeconds, openTestEnv } from "../fixtures/test-env.js";
import { maskCommands } from "./masked-table.js";
import { MAX_COMMAND_LENGTH } from "./process-table.js";
import type { ProcessTable } from "./process-table.js";

const KEY = "sk-ant-SECRET123456789";

async function describe(command: string): Promise<string | undefined> {
  const process = { ...toTableProcess({ pid: 7 }), describe: () => ({ pid: 7, command }) };
  const table: ProcessTable = { list: () => Promise.resolve([process]), startOf: () => 0, now: () => 0 };
  const [found] = await maskCommands(table, [KEY]).list({ since: 0 });
  return found?.describe().command;
}

test("[X15] a command line is told without the secrets in it", async () => {
  expect(await describe(`server --key ${KEY} --again=${KEY}x`)).toBe("server --key [secret] --again=[secret]x");
  expect(await describe("server --key sk-ant-SECRET")).toBe("server --key sk-ant-SECRET");
});

test("[X15] a command line that is cut within a secret is told without its beginning", async () => {
  const filler = "x".repeat(MAX_COMMAND_LENGTH - KEY.length + 1);

  expect(await describe(`${filler}${KEY}`.slice(0, MAX_COMMAND_LENGTH))).toBe(`${filler}[secret]`);
});

test("[X15] processes that a command left behind are named without the secrets in their arguments", async () => {
  const place = openTestEnv({ environment: { ...process.env, ANTHROPIC_API_KEY: KEY } });
  const seconds = uniqueSeconds();

  const { value } = await place.run(`sh -c 'sleep ${seconds}; :' ${KEY} >/dev/null 2>&1 &`);
  await place.close();

  expect(value.left.map(({ command }) => command)).toContain(`sh -c sleep ${seconds}; : [secret]`);
});
