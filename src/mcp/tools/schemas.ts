import { z } from "zod";
import { DEFAULT_MAX_BYTES } from "../../exec/index.js";

const MAX_READ_BYTES = 204_800;
/** Clients give up on an answer after a minute, most of them. */
export const MAX_WAIT_MS = 300_000;

const id = z.string().min(1).max(64).describe("The id of an execution, as bash and bash_list give it.");

export const listInput = z.strictObject({});

export const outputInput = z.strictObject({
  id,
  afterLine: z.int().min(0).optional().describe("Lines that are known already. Default 0."),
  maxBytes: z
    .int()
    .min(1)
    .max(MAX_READ_BYTES)
    .optional()
    .describe(`Most bytes to give, in whole lines. Default ${DEFAULT_MAX_BYTES}.`),
  waitMs: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .optional()
    .describe("How long to wait for a line, or the end, where there is no line yet. Default 0."),
});

export const killInput = z.strictObject({ id });

const status = z
  .enum(["running", "left", "ended", "exited", "signalled", "timed_out", "stopped", "interrupted", "failed"])
  .describe(
    "left: its shell has ended, processes of it go on. ended: its result waits for its session. " +
      "interrupted: what it did is not known. failed: it was not run.",
  );
const totals = {
  totalLines: z.int().describe("Lines of all that was printed."),
  totalBytes: z.int().describe("Bytes of all that was printed."),
};
const ending = { exitCode: z.int().nullable(), signal: z.string().nullable() };
const spillPath = z
  .string()
  .nullable()
  .describe("The file with the whole output, where the text is not; read and grep take it.");
const session = z.string().describe("The session that has the call.");
const watch = z.string().describe("Where a person can watch it.");

/** Text stands in it too: some clients show their model nothing but this. */
export const bashOutput = z.object({
  text: z.string().describe("The end of the output, bounded."),
  notice: z.string().describe("What there is to say about the output; empty where there is nothing."),
  id: z.string().nullable().describe("The execution; null where none began."),
  status,
  ...ending,
  durationMs: z.number().nullable(),
  ...totals,
  truncated: z.boolean(),
  spillPath,
  session,
  watch,
});

export const listOutput = z.object({
  executions: z.array(
    z.object({
      id: z.string(),
      status,
      command: z.string(),
      cwd: z.string(),
      startedAt: z.string().nullable(),
      ...ending,
      totalLines: z.int().nullable(),
      totalBytes: z.int().nullable(),
      spillPath,
      pids: z.array(z.int()),
      session,
    }),
  ),
  more: z.int().describe("How many older ones are not named."),
  watch,
});

export const readOutput = z.object({
  text: z.string(),
  notice: z.string(),
  id: z.string(),
  status,
  ...ending,
  firstLine: z.int().nullable(),
  lastLine: z.int().nullable(),
  nextAfterLine: z.int().describe("What to give as afterLine to go on."),
  hasMore: z.boolean().describe("Whether there is more to be had at once."),
  progress: z.string().nullable().describe("The line that has not ended."),
  totalLines: z.int(),
  totalBytes: z.int(),
  spillPath,
  session,
  watch,
});

export const killOutput = z.object({
  id: z.string(),
  status,
  survivors: z.array(z.object({ pid: z.int(), command: z.string() })),
  session,
  watch,
});

export const fileOutput = z.object({
  text: z.string().describe("The start of the output, bounded."),
  notice: z.string(),
  details: z.record(z.string(), z.unknown()).describe("What the tool found, such as path, lines, matches."),
  ...totals,
  truncated: z.boolean(),
  session,
  watch,
});
