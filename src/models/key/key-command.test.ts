import { expect, test } from "vitest";
import { createKeyCommandRunner, MAX_KEY_COMMAND_OUTPUT_BYTES } from "./key-command.js";

const run = createKeyCommandRunner({ environment: { PATH: process.env["PATH"], GREETING: "k-hello" } });

test("[M7] the first line that the command prints is the key", async () => {
  await expect(run('printf "  %s \\nmore\\n" "$GREETING"')).resolves.toBe("k-hello");
});

test.each([
  ["exits with a code", "echo k-secret; echo k-secret >&2; exit 3", "ended with exit code 3"],
  ["is killed", "kill -9 $$", "ended with SIGKILL"],
  ["prints too much", "yes k-secret", `printed more than ${MAX_KEY_COMMAND_OUTPUT_BYTES} bytes`],
])("[M7] a command that %s gives no key, and what it printed is shown to nobody", async (_name, command, words) => {
  const failure = await run(command).catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "key_command_failed", retryable: false });
  expect(String(failure)).toContain(words);
  expect(String(failure)).not.toContain("k-secret");
});

test("[M7] a command that takes too long is killed with all that it started", async () => {
  const impatient = createKeyCommandRunner({ environment: { PATH: process.env["PATH"] }, timeoutMs: 50 });

  await expect(impatient("sleep 600 & sleep 600")).rejects.toThrow("took more than 0.05 s");
});
