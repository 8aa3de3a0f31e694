import { describe, expect, test } from "vitest";
import { skipReason } from "./support/chromium.js";
import { slideBuild } from "./support/long-run.js";
import { usePage } from "./support/page-suite.js";
import { expectShown, readShown } from "./support/shown.js";
import type { ViewerStage } from "./support/viewer-stage.js";

const isCi = process.env["CI"] === "true";
const updates = isCi ? 2_000 : 400;

describe.skipIf(skipReason !== undefined)("a window that slides", () => {
  const open = usePage();

  // X35 and X36 of the reports, in the page: work for each update that grows with the text, and a whole window redrawn.
  test("[C1] an update changes as much text of the page as it brings and takes, not the window", async () => {
    await using stage = await open();
    const call = stage.startCall();
    slideBuild(stage, call, 250);
    await stage.open();
    await stage.page.getByText("unit_249.dir").last().waitFor();
    await stage.page.evaluate(countTouchedText);
    const busy = await watchBusy(stage);
    const before = await busy();

    const brought = await slideSlowly(stage, call, updates);

    const touched = Number(await stage.page.evaluate("touchedText"));
    // Once as it comes, once as it goes; a chunk that begins is counted with what it begins with.
    expect(touched).toBeGreaterThan(brought);
    expect(touched).toBeLessThan(brought * 3);
    expect(await readShown(stage.page)).toEqual(expectShown(stage.source.chat.snapshot()));
    const after = await busy();
    const spent = Object.entries(after).map(([name, ms]) => `${name} ${(ms - (before[name] ?? 0)).toFixed(0)} ms`);
    console.log(`${updates} batches of a 51,200-byte window in Chromium: ${spent.join(", ")}`);
  });

  test("[C1] the end of the window stays in view until a person scrolls up, and then nothing moves", async () => {
    await using stage = await open();
    const call = stage.startCall();
    slideBuild(stage, call, 300);
    await stage.open();
    await stage.page.getByText("unit_299.dir").last().waitFor();
    expect(await distanceToEnd(stage)).toBeLessThan(2);

    slideBuild(stage, call, 50);
    await stage.page.getByText("unit_49.dir").last().waitFor();
    expect(await distanceToEnd(stage)).toBeLessThan(2);

    await stage.page.locator(".output").hover();
    await stage.page.mouse.wheel(0, -300);
    await expect.poll(() => distanceToEnd(stage)).toBeGreaterThan(100);
    stage.source.play(stage.source.lane.write(call, "more\n".repeat(40)));
    await expect.poll(() => distanceToEnd(stage)).toBeGreaterThan(600);
    await stage.page.locator(".output").press("End");
    await expect.poll(() => distanceToEnd(stage)).toBeLessThan(2);
  });
});

/** A few updates at a time, as the wire brings them; gives how much text they brought. */
async function slideSlowly(stage: ViewerStage, call: string, count: number): Promise<number> {
  let brought = 0;
  const subscription = stage.source.chat.subscribe({
    receive: ({ message }) => {
      for (const op of message.ops) if (op[0] === "a") brought += String(op.at(-1)).length;
    },
    end: () => {},
  });
  for (let done = 0; done < count; done += 5) {
    slideBuild(stage, call, 5);
    await stage.page.evaluate("new Promise(requestAnimationFrame)");
  }
  stage.source.play(stage.source.lane.editTool(call, (output) => (output.progress = "all slid")));
  await stage.page.getByText("all slid").waitFor();
  subscription.close();
  return brought;
}

const countTouchedText = `
  globalThis.touchedText = 0;
  new MutationObserver((records) => {
    for (const { type, target, oldValue, addedNodes, removedNodes } of records) {
      if (type === "characterData") touchedText += Math.abs(target.data.length - oldValue.length);
      for (const node of [...addedNodes, ...removedNodes]) touchedText += node.textContent.length;
    }
  }).observe(document.querySelector(".output-text"), {
    subtree: true, childList: true, characterData: true, characterDataOldValue: true,
  });`;

/** What Chromium says the page's thread was busy with so far, in milliseconds. */
async function watchBusy({ page }: ViewerStage): Promise<() => Promise<Record<string, number>>> {
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return Object.fromEntries(
      Object.entries(BUSY).map(([name, label]) => [
        label,
        (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000,
      ]),
    );
  };
}

const BUSY = { TaskDuration: "all", ScriptDuration: "script", LayoutDuration: "layout", RecalcStyleDuration: "style" };

async function distanceToEnd({ page }: ViewerStage): Promise<number> {
  return Number(
    await page.evaluate(`(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(
      document.querySelector(".output"))`),
  );
}
