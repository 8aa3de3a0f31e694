import * as fc from "fast-check";
import { expect, test } from "vitest";
import { emptyLaneView, reduceLaneSnapshot } from "../lane/index.js";
import type { LaneView } from "../lane/index.js";
import { call, openSession, text } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";

const write = fc.record({
  kind: fc.constantFrom("write", "replace"),
  text: fc.string({ unit: "binary", maxLength: 30 }),
});
const scenario = fc.record({
  calls: fc.array(fc.array(write, { maxLength: 8 }), { minLength: 1, maxLength: 4 }),
  joins: fc.array(fc.nat({ max: 40 }), { maxLength: 6 }),
});

test("[E3] whenever a subscriber joins, folding what it gets gives the lane's view", async () => {
  let joinsInTheMiddle = 0;
  const property = fc.asyncProperty(scenario, async ({ calls, joins }) => {
    const tool = makeTool("work", async ({ arg, out }) => {
      for (const { kind, text } of calls[Number(arg("index"))] ?? []) {
        if (kind === "write") out.write(text);
        else out.replace(text);
        await Promise.resolve();
      }
    });
    const turns = [[text("I work."), ...calls.map((_, index) => call("work", { index }))], [text("Done.")]];
    const { lane, groups } = await openSession({ turns, tools: [tool] });
    const views: { view: LaneView }[] = [];
    const join = (): void => {
      const follower = { view: emptyLaneView() };
      views.push(follower);
      if (lane.view().operation !== null) joinsInTheMiddle += 1;
      lane.subscribe({
        open: (view) => (follower.view = view),
        receive: (group) => group.forEach((event) => reduceLaneSnapshot(follower.view, event)),
        end: () => undefined,
      });
    };
    lane.subscribe({
      open: () => undefined,
      receive: () => joins.filter((at) => at === groups.length).forEach(join),
      end: () => undefined,
    });

    await (
      await lane.prompt("go")
    ).settled;

    for (const { view } of views) expect(view).toEqual(lane.view());
  });

  await fc.assert(property, { numRuns: process.env["CI"] === "true" ? 1_000 : 50 });

  expect(joinsInTheMiddle).toBeGreaterThan(10);
});
