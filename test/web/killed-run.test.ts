import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seededRandom, seedsOf } from "../../src/lane/fixtures/random.js";
import { buildCli, openCliStage } from "../cli/support/built-cli.js";
import { appearanceOfSession, listState } from "../cli/support/sessions.js";
import { launchChromium, skipReason } from "./support/chromium.js";
import { readShown } from "./support/shown.js";

// The real thing from end to end: a run of the built CLI with its page open in Chromium, killed with -9 at a random moment
// and resumed. The page finds the process that took over by itself, at the address that it knows.

const KILLS = process.env["CI"] === "true" ? 6 : 1;
const LONGEST_LIFE_MS = 2_000;
const HANG_MS = 60_000;

describe.skipIf(skipReason !== undefined)("a page whose host is killed", () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchChromium(), buildCli()]);
  }, 180_000);
  afterAll(() => browser.close());

  test.each(seedsOf(1))(
    "[C2] [C3] shows the end that resume gives the run, and stops (seed %i)",
    { timeout: 600_000 },
    async (seed) => {
      const random = seededRandom(seed);
      for (let kill = 0; kill < KILLS; kill += 1) {
        using stage = openCliStage();
        const running = stage.start([
          "run",
          "--web",
          "--",
          "n=0; while :; do n=$((n + 1)); echo line $n; sleep 0.05; done",
        ]);
        const id = await appearanceOfSession(stage);
        await running.said(/line 2\n/);
        const address = /watch it at +(\S+)/.exec(running.output)?.[1] ?? "";
        const page = await browser.newPage();
        await page.goto(address);
        await expect
          .poll(async () => (await readShown(page)).map(({ text }) => text).join(), { timeout: HANG_MS })
          .toContain("line 2");

        await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_LIFE_MS));
        running.kill("SIGKILL");
        await running.ended;
        const resumed = await stage.start(["resume", id, "--quiet"]).ended;
        await page.locator(".connection-state").getByText("ended", { exact: true }).waitFor({ timeout: HANG_MS });
        const shown = (await readShown(page)).find(({ label }) => label.startsWith("$"));

        expect(resumed.code, `seed ${seed}, kill ${kill}`).toBe(1);
        expect(shown?.state, `seed ${seed}, kill ${kill}`).toBe("interrupted");
        const text = resumed.stdout.slice(0, resumed.stdout.lastIndexOf("Interrupted: "));
        expect(shown?.text.trimEnd(), `seed ${seed}, kill ${kill}`).toBe(text.trimEnd());
        expect(listState(stage, "run")).toEqual([]);
        await page.close();
      }
    },
  );
});
