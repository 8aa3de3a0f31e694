import { closeSync, mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../clock.js";
import type { Pipe } from "../../output/capture.js";
import { createManualClock } from "../fixtures/manual-clock.js";
import { createFifoPool, mkfifoProgram, pipeIdentity } from "./fifo-pool.js";
import type { FifoPool } from "./fifo-pool.js";
import { END_GRACE_MS, OutputPump } from "./output-pump.js";
import type { PumpSink } from "./output-pump.js";

let home: string;
let pool: FifoPool;
const cleanUps: (() => void)[] = [];

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "pump-"));
  pool = createFifoPool(home, mkfifoProgram(process.env));
});
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});
afterAll(async () => {
  await pool.close();
  rmSync(home, { recursive: true, force: true });
});

interface NotingSink extends PumpSink {
  readonly text: [stdout: string, stderr: string];
  readonly ended: Pipe[];
  /** How many more pushes are accepted before the sink asks to wait. */
  room: number;
  readonly waitFor: (isMet: () => boolean) => Promise<void>;
}

function createNotingSink(): NotingSink {
  let changed = (): void => undefined;
  const sink: NotingSink = {
    text: ["", ""],
    ended: [],
    room: Infinity,
    push(pipe, bytes) {
      sink.text[pipe] += Buffer.from(bytes).toString("latin1");
      sink.room -= 1;
      changed();
      return sink.room > 0;
    },
    end(pipe) {
      sink.ended.push(pipe);
      changed();
    },
    waitFor: (isMet) =>
      new Promise((resolve) => {
        changed = () => {
          if (isMet()) resolve();
        };
        changed();
      }),
  };
  return sink;
}

async function openPump(sink: PumpSink, clock = systemClock) {
  const [stdout, stderr] = await pool.take(2);
  if (stdout === undefined || stderr === undefined) throw new Error("no pipes");
  const pump = new OutputPump([stdout.readFd, stderr.readFd], sink, clock);
  const writers = new Set([stdout.writeFd, stderr.writeFd]);
  const closeWriters = (): void => {
    for (const fd of writers) closeSync(fd);
    writers.clear();
  };
  cleanUps.push(closeWriters, () => pump.close());
  return { pump, stdout: stdout.writeFd, stderr: stderr.writeFd, closeWriters, writers };
}

test("[X6] bytes of both pipes reach the sink, then the end of each", async () => {
  const sink = createNotingSink();
  const { pump, stdout, stderr, closeWriters } = await openPump(sink);

  writeSync(stdout, "out");
  writeSync(stderr, "err");
  closeWriters();
  await sink.waitFor(() => sink.ended.length === 2);

  expect(sink.text).toEqual(["out", "err"]);
  expect(pump.open).toBe(false);
});

test("[X10] finishing reads what lies in the pipes at once and waits no longer when they have ended", async () => {
  const sink = createNotingSink();
  const { pump, stdout, closeWriters } = await openPump(sink, createManualClock());

  writeSync(stdout, "x".repeat(65_536));
  closeWriters();
  await pump.finish();

  expect(sink.text[0].length).toBe(65_536);
  expect(new Set(sink.ended)).toEqual(new Set([0, 1]));
});

test("[X10] a pipe that somebody holds delays by the grace, then the sink is told its end and given nothing more", async () => {
  const clock = createManualClock();
  const sink = createNotingSink();
  const { pump, stdout } = await openPump(sink, clock);

  writeSync(stdout, "before");
  const finished = pump.finish();
  await clock.pass(END_GRACE_MS);
  await finished;
  writeSync(stdout, "after");
  await new Promise(setImmediate);

  expect(sink.text[0]).toBe("before");
  expect(new Set(sink.ended)).toEqual(new Set([0, 1]));
  expect(pump.open).toBe(true);
});

test("[X10] a pipe that somebody holds delays by at most a second", async () => {
  const clock = createManualClock();
  const sink = createNotingSink();
  const { pump } = await openPump(sink, clock);
  let isFinished = false;

  const finished = pump.finish().then(() => (isFinished = true));
  await clock.pass(1_000);

  expect(isFinished).toBe(true);
  await finished;
});

test("[X10] a writer that never stops is read to 1 MiB", async () => {
  const sink = createNotingSink();
  const { pump, stdout, stderr, writers } = await openPump(sink, createManualClock());
  const more = Buffer.alloc(65_536, "y");
  let bytes = 0;
  sink.push = (_pipe, { length }) => {
    bytes += length;
    writeSync(stdout, more);
    return true;
  };
  writers.delete(stderr);
  closeSync(stderr);
  writeSync(stdout, more);

  await pump.finish();

  expect(bytes).toBe(1_048_576);
  expect(sink.ended).toContain(0);
});

test("[X16] every read of a pipe is into the same buffer", async () => {
  const sink = createNotingSink();
  const buffers: [Set<ArrayBufferLike>, Set<ArrayBufferLike>] = [new Set(), new Set()];
  const { push } = sink;
  sink.push = (pipe, bytes) => {
    buffers[pipe].add(bytes.buffer);
    return push(pipe, bytes);
  };
  const { pump, stdout, stderr, closeWriters } = await openPump(sink, createManualClock());
  for (const text of ["one", "two", "three"]) {
    writeSync(stdout, text);
    await sink.waitFor(() => sink.text[0].endsWith(text));
  }

  writeSync(stdout, "four");
  writeSync(stderr, "err");
  closeWriters();
  await pump.finish();

  expect(sink.text).toEqual(["onetwothreefour", "err"]);
  expect(buffers.map(({ size }) => size)).toEqual([1, 1]);
  expect(new Set([...buffers[0], ...buffers[1]]).size).toBe(2);
});

test("[X10] what comes within the grace belongs to the call", async () => {
  const clock = createManualClock();
  const sink = createNotingSink();
  const { pump, stdout, closeWriters } = await openPump(sink, clock);

  const finished = pump.finish();
  writeSync(stdout, "late");
  closeWriters();
  await finished;

  expect(sink.text[0]).toBe("late");
});

test("[X8] a sink that is behind stops both pipes, and nothing is lost when it has room again", async () => {
  const sink = createNotingSink();
  sink.room = 1;
  const { pump, stdout, stderr, closeWriters } = await openPump(sink, createManualClock());
  writeSync(stdout, "one");
  await sink.waitFor(() => sink.text[0] === "one");

  writeSync(stdout, "two");
  writeSync(stderr, "err");
  closeWriters();
  const finished = pump.finish();
  await new Promise(setImmediate);
  expect(sink.text).toEqual(["one", ""]);

  sink.room = Infinity;
  pump.drained();
  await finished;
  expect(sink.text).toEqual(["onetwo", "err"]);
});

test("[X10] a pump that is redirected reads on into the new sink alone", async () => {
  const clock = createManualClock();
  const [first, second] = [createNotingSink(), createNotingSink()];
  const { pump, stdout, closeWriters } = await openPump(first, clock);
  const finished = pump.finish();
  await clock.pass(END_GRACE_MS);
  await finished;

  pump.redirect(second);
  writeSync(stdout, "after");
  closeWriters();
  await second.waitFor(() => second.ended.length === 2);

  expect(first.text).toEqual(["", ""]);
  expect(second.text).toEqual(["after", ""]);
});

test("[X17] a pipe is known by its identity only while it is read here, for the system gives it again", async () => {
  const sink = createNotingSink();
  const { pump, stdout, stderr, writers } = await openPump(sink);
  const [first, second] = [pipeIdentity(stdout), pipeIdentity(stderr)];
  expect(pump.identities).toEqual(new Set([first, second]));

  writers.delete(stdout);
  closeSync(stdout);
  await sink.waitFor(() => sink.ended.length === 1);
  expect(pump.identities).toEqual(new Set([second]));

  pump.close();
  expect(pump.identities).toEqual(new Set());
});
