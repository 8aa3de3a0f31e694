import { expect, test } from "vitest";
import { describe } from "../../exec/index.js";
import type { ShellOutputTruncation } from "../../exec/index.js";
import { openSink } from "../fixtures/consumed-sink.js";
import type { ConsumedSink } from "../fixtures/consumed-sink.js";
import { bytes } from "../fixtures/reference-window.js";
import { MAX_NOTICE_BYTES } from "./notice.js";

const cut: ShellOutputTruncation = {
  truncated: true,
  truncatedBy: "bytes",
  totalLines: 8_123,
  totalBytes: 262_144,
  maxLines: 2_000,
  maxBytes: 51_200,
};
const whole: ShellOutputTruncation = { ...cut, truncated: false, truncatedBy: null, totalLines: 2, totalBytes: 8 };

/** A call whose env showed `text` of an output and has ended. */
function endCapture(text: string, truncation: ShellOutputTruncation, end: object = {}): ConsumedSink {
  const opened = openSink();
  const { sink } = opened;
  sink.captured({ metadata: { truncation } });
  sink.out.replace(text);
  sink.flush();
  sink.captureSettled({ metadata: { truncation }, remarks: [], ...end });
  return opened;
}

test("[T4] the line is exact about which lines of how many are shown, what is left out, and where it is", () => {
  const { sink, notice } = endCapture("line\n".repeat(1_500), cut, {
    spill: { path: "/spill/8f2.log", bytes: 262_144, complete: true },
  });

  sink.settle();

  expect(notice()).toBe(
    "[Lines 6624-8123 of 8123 shown; 6623 lines, 254644 of 262144 bytes left out. The whole output is in /spill/8f2.log]",
  );
});

test("[T2] what a spill holds is stated where that is not the output byte for byte, and only there", () => {
  const saved = (spill: object): unknown => {
    const { sink } = endCapture("line\n", cut, { spill: { path: "/spill/8f2.log", ...spill } });
    sink.settle();
    return sink.snapshot().spill;
  };

  expect(saved({ bytes: 262_144, complete: true })).toBeUndefined();
  expect(saved({ bytes: 261_000, complete: true })).toEqual({ bytes: 261_000, complete: true });
  expect(saved({ bytes: 100_000, complete: false, reason: "quota" })).toEqual({ bytes: 100_000, complete: false });
});

test("[T4] O08: the notice is a block of its own, the text a clean end of the data, with nothing after it", () => {
  const json = JSON.stringify({ items: Array.from({ length: 12_000 }, (_, index) => `item ${index}`) });
  const { sink, text } = openSink();

  sink.out.write(json);
  sink.settle();

  const [data, said] = sink.snapshot().content;
  expect(json.endsWith(text())).toBe(true);
  expect(bytes(text())).toBe(51_200);
  expect(Object.keys(data ?? {})).toEqual(["type", "text"]);
  expect(said).toMatchObject({
    type: "text",
    notice: true,
    text: expect.stringMatching(/^\[The end of line 1 of 1 shown/),
  });
});

test("[T4] O06: one giant line is shown in part, and the notice has its exact size", () => {
  const line = `${"x".repeat(996)}€`.repeat(200);
  const { sink, text, notice } = openSink();

  sink.out.write(line);
  sink.settle();

  expect(bytes(text())).toBeLessThanOrEqual(51_200);
  expect(line.endsWith(text())).toBe(true);
  expect(text().startsWith("x") || text().startsWith("€")).toBe(true);
  expect(sink.snapshot().truncation.partialLineBytes).toBe(bytes(line));
  expect(notice()).toContain(`The end of line 1 of 1 shown, which has ${bytes(line)} bytes`);
  expect(notice()).toContain(
    `${bytes(line) - bytes(text())} of ${bytes(line)} bytes left out. What is left out was not kept.`,
  );
});

test.each([
  ["quota", "its quota was reached"],
  ["disk_full", "the disk was full"],
  ["removed", "the file was removed while the command ran"],
] as const)(
  "[T4] a spill that is not complete is told with its size and why, also when nothing was cut: %s",
  (reason, why) => {
    const spill = { path: "/spill/a.log", bytes: 5, complete: false, reason };
    const { sink, notice } = endCapture("a\nbcde\n", whole, { spill });

    sink.settle();

    expect(notice()).toBe(`[All 2 lines shown. /spill/a.log holds 5 of 8 bytes: ${why}]`);
  },
);

test.each([
  ["a\nbcde\n", "The text is whole"],
  ["", "The output has no printable text"],
])("[T4] where the file holds more than the text that is whole, that is told: %j", (shown, what) => {
  const spill = { path: "/spill/a\n.log", bytes: 3_145_728, complete: true };
  const { sink, notice } = endCapture(shown, { ...whole, totalBytes: 3_145_728 }, { spill });

  sink.settle();

  expect(notice()).toBe(
    `[${what}; the 3145728 bytes of the output, with control characters and overwritten lines, are in /spill/a\uFFFD.log]`,
  );
});

test("[T4] a file that holds no more than the text, or a text that the tool stated itself, is no reason for a line", () => {
  const spill = { path: "/spill/a.log", bytes: 8, complete: true };
  const same = endCapture("a\nbcdef\n", whole, { spill });
  const stated = endCapture("a\nbcde\n", { ...whole, totalBytes: 3_145_728 }, { spill });

  stated.sink.out.replace("a summary\n");
  for (const { sink } of [same, stated]) sink.settle();

  expect([same.notice(), stated.notice()]).toEqual([undefined, undefined]);
});

test("[T4] the tool's own footer is not said beside the line, whatever stands around it", () => {
  const footer = `\n\n[${describe(cut)}]`;
  const plain = endCapture("line\n".repeat(1_500), cut);
  const footed = endCapture("line\n".repeat(1_500), cut);
  const more = endCapture("line\n".repeat(1_500), cut);

  footed.sink.out.write(footer);
  more.sink.out.write(`${footer} and more`);
  for (const { sink } of [plain, footed, more]) sink.settle();

  expect(footed.notice()).toBe(plain.notice());
  expect(footed.text()).toBe(plain.text());
  expect(more.notice()).toBe(`${plain.notice()}\nand more`);
});

test("[T4] the order is line, processes, what the tool said, error", () => {
  const { sink, notice, text } = endCapture("line\n".repeat(1_500), cut, {
    remarks: ["Still running, until the session is closed at the latest: process 7 (server)."],
  });

  sink.out.write("\nsaid late\n\n");
  sink.out.notice("said as such");
  sink.settle(new Error("Command exited with code 2\n"));

  expect(notice()?.split("\n").slice(1)).toEqual([
    "Still running, until the session is closed at the latest: process 7 (server).",
    "said late",
    "",
    "said as such",
    "Command exited with code 2",
  ]);
  expect(text().endsWith("line\n")).toBe(true);
});

test("[T4] O12: a notice that is too long is cut between characters, and every part of it is still there", () => {
  for (let offset = -4; offset <= 4; offset += 1) {
    const { sink, notice } = endCapture("line\n".repeat(1_500), cut, { remarks: ["r".repeat(3_000)] });
    sink.out.notice(`${"s".repeat(MAX_NOTICE_BYTES + offset)}🦊`.repeat(3));
    sink.settle(new Error(`${"e".repeat(1_300 + offset)}🦊`.repeat(9)));

    const said = notice() ?? "";
    expect(bytes(said)).toBeLessThanOrEqual(MAX_NOTICE_BYTES);
    expect(bytes(said)).toBeGreaterThan(MAX_NOTICE_BYTES - 40);
    expect(Buffer.from(said).toString()).toBe(said);
    expect(said).toMatch(/^\[Lines.*\]\nr+…\ns+…\ne+/s);
  }
});

test("[T4] a call with nothing to say has no notice, and blank noise is none", () => {
  const quiet = endCapture("a\nb\n", whole);
  const blank = endCapture("a\nb\n", whole);

  quiet.sink.settle();
  blank.sink.out.write("\n \n");
  blank.sink.out.notice("");
  blank.sink.settle();

  expect(quiet.sink.snapshot().content).toHaveLength(1);
  expect(blank.sink.snapshot().content).toHaveLength(1);
});

test("[T4] with both ends kept, the line names both ranges", () => {
  const { sink, notice } = openSink({ retain: "both", maxBytes: 100, maxLines: 10 });

  for (let index = 1; index <= 40; index += 1) sink.out.write(`${index}\n`);
  sink.settle();

  expect(notice()).toBe(
    "[Lines 1-2 and 33-40 of 40 shown; 30 lines, 83 of 111 bytes left out. What is left out was not kept.]",
  );
});

test("[T4] a tool that states its text anew after its capture gives text, not a notice", () => {
  const { sink, text, notice } = endCapture("raw output\n", whole);

  sink.out.replace("a summary\n");
  sink.out.write("of two lines\n");
  sink.settle();

  expect(text()).toBe("a summary\nof two lines\n");
  expect(notice()).toBeUndefined();
  expect(sink.snapshot().truncation).toMatchObject({ totalLines: 2, totalBytes: 23, truncated: false });
});
