import stringWidth from "string-width";
import { expect, test } from "vitest";
import { noColours } from "../fixtures/colours.js";
import { drawBar } from "./bar.js";
import { drawReport } from "./draw.js";
import type { RunReport } from "./run-report.js";

const report: RunReport = {
  type: "report",
  command: "make",
  exitCode: 0,
  signal: null,
  durationMs: 9_812,
  produced: { bytes: 334_102, lines: 4_012 },
  window: { bytes: 51_180, lines: 612, maxBytes: 51_200, maxLines: 2_000, truncatedBy: "bytes" },
  flushes: { live: 91, durable: 10, recoveryBases: 1 },
  wire: { subscribers: 1, bytesEach: 341_000, snapshotBytes: 4_630_000, newTextBytes: 334_000 },
  log: { mainBytes: 53_000, sidecarPeakBytes: 87_000, sidecarBytes: 0 },
  detailsWrites: 1,
  spill: { path: "/s/x.log", bytes: 334_102, complete: true, reason: null },
};
const costs = { durableBytes: 338_000, durableSnapshotBytes: 520_000 };

test("[R10] each cost of the run is drawn beside what whole snapshots would have been", () => {
  const drawn = drawReport(report, costs, { columns: 80, colours: noColours });

  expect(drawn).toMatch(/sent to each viewer: 14× less\n  snapshots +4\.63 MB  █+\n  this run +341 kB  █+\S?\n/);
  expect(drawn).toMatch(/written to the log meanwhile: 1\.5× less\n/);
  expect(drawn).toMatch(/left in the log for good: 11× less\n  snapshots +573 kB  █+\n  this run +53\.0 kB  █+\S?\n/);
  expect(drawn).toMatch(/details written: 91× less\n/);
  expect(drawn).toMatch(/window +51\.2 kB in 612 lines, cut by its cap of 51\.2 kB\n/);
  expect(drawn).toMatch(/spill +334 kB, complete: \/s\/x\.log\n/);
});

test("[R10] a run that cost more than snapshots says so", () => {
  const wire = { ...report.wire, bytesEach: 300, snapshotBytes: 200 };

  expect(drawReport({ ...report, wire }, costs, { columns: 80, colours: noColours })).toContain(
    "sent to each viewer: 1.5× more",
  );
});

test("[R10] a run that cost as much as snapshots does not claim more", () => {
  const even = { durableBytes: 510_000, durableSnapshotBytes: 520_000 };

  expect(drawReport(report, even, { columns: 80, colours: noColours })).toContain(
    "written to the log meanwhile: about the same",
  );
});

test.each([40, 60, 80, 200])("[R10] the report fits %i columns", (columns) => {
  const lines = drawReport(report, costs, { columns, colours: noColours }).split("\n");

  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(Math.min(columns, 100));
});

test("bars are in proportion, and whatever is not nothing is seen", () => {
  expect(drawBar(100, 100, 10)).toBe("██████████");
  expect(drawBar(50, 100, 10)).toBe("█████");
  expect(drawBar(1, 1_000_000, 10)).toBe("▏");
  expect(drawBar(0, 100, 10)).toBe("");
});
