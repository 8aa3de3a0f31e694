import { expect, test } from "vitest";
import { ExecError, failed, ok } from "../../exec/index.js";
import type { ExecErrorCode, ExecResult } from "../../exec/index.js";
import type { OperationResult } from "../../harness/index.js";
import { judgeOutcome } from "./outcome.js";

const operation: OperationResult = { operationId: "op_1", status: "completed", usage: {} };
const result: ExecResult = {
  executionId: "x_1",
  exitCode: 0,
  signal: null,
  durationMs: 1,
  truncation: { truncated: false, truncatedBy: null, totalLines: 0, totalBytes: 0, maxLines: 1, maxBytes: 1 },
  containment: "group+marker",
  left: [],
  survivors: [],
};

test.each([0, 1, 3, 126, 127, 255])("[R2] the command's exit code %i is the run's", (exitCode) => {
  const execution = ok({ ...result, exitCode });

  expect(judgeOutcome({ stopped: undefined, execution, operation })).toEqual({ exitCode });
});

test.each<[ExecErrorCode, string | null, number]>([
  ["timeout", "SIGTERM", 124],
  ["signal", "SIGKILL", 137],
  ["signal", "SIGSEGV", 139],
  ["aborted", "SIGTERM", 143],
])("[R2] an execution that ended by %s (%s) gives %i", (code, signal, exitCode) => {
  const execution = failed(new ExecError(code, "it ended", { result: { ...result, exitCode: null, signal } }));

  expect(judgeOutcome({ stopped: undefined, execution, operation })).toEqual({ exitCode });
});

test.each<ExecErrorCode>(["spawn_failed", "internal", "env_closed"])(
  "[R2] %s is a failure of spillway's own",
  (code) => {
    const execution = failed(new ExecError(code, "it broke"));

    expect(judgeOutcome({ stopped: undefined, execution, operation })).toEqual({
      exitCode: 125,
      failure: { code, message: "it broke" },
    });
  },
);

test("[R2] a command that never ran is told with the operation's reason", () => {
  const ended = { ...operation, status: "failed", reason: "no turn is left" } as const;

  expect(judgeOutcome({ stopped: undefined, execution: undefined, operation: ended })).toEqual({
    exitCode: 125,
    failure: { code: "not_run", message: "the command was not run: no turn is left" },
  });
});

test("[R2] an operation whose end could not be stored is no success, whatever the command made of it", () => {
  const ended = { ...operation, status: "failed", reason: "The operation's end could not be stored" } as const;

  expect(judgeOutcome({ stopped: undefined, execution: ok(result), operation: ended })).toEqual({
    exitCode: 125,
    failure: { code: "not_stored", message: "The operation's end could not be stored" },
  });
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
])("[R3] a run that %s stopped gives %i, whatever the command made of it", (signal, exitCode) => {
  const execution = ok({ ...result, exitCode: 0 });

  expect(judgeOutcome({ stopped: { kind: "signal", signal }, execution, operation })).toEqual({ exitCode });
});

test("[R9] a reader that has gone is no failure, any other trouble with the output is", () => {
  const stop = (code: string): ReturnType<typeof judgeOutcome> => {
    const failure = Object.assign(new Error("no space left"), { code });
    return judgeOutcome({ stopped: { kind: "output", failure }, execution: undefined, operation });
  };

  expect(stop("EPIPE")).toEqual({ exitCode: 141, isReaderGone: true });
  expect(stop("ENOSPC")).toMatchObject({ exitCode: 125, failure: { code: "output_failed" } });
});
