import { describe, expect, test } from "vitest";
import { summary } from "../../src/wire/fixtures/served-lane.js";
import type { ServedLane } from "../../src/wire/fixtures/served-lane.js";
import type { WireSource } from "../../src/wire/index.js";
import { skipReason } from "./support/chromium.js";
import { usePage } from "./support/page-suite.js";
import type { ViewerStage } from "./support/viewer-stage.js";

const others = ["npm test", "cargo build"].map((title, index) => ({
  ...summary,
  id: `s_${index + 2}`,
  title,
  state: "closed" as const,
}));

/** Three sessions, which all have the same lane. */
const three = (lane: ServedLane): WireSource => ({
  sessions: async () => [lane.summary, ...others],
  session: async (id) => {
    const found = others.find((session) => session.id === id);
    return found === undefined
      ? lane.session(id)
      : Object.assign(Object.create(lane) as ServedLane, { summary: found });
  },
});

describe.skipIf(skipReason !== undefined)("keys", () => {
  const open = usePage();
  const title = async ({ page }: ViewerStage): Promise<string | null> => page.locator(".lane-title").textContent();

  test("[W3] sessions are walked through, filtered and left with keys alone", async () => {
    await using stage = await open({ source: three });
    const { page } = stage;
    const { keyboard } = page;
    stage.startCall();
    await stage.open();
    await page.getByText("$ make -j8").waitFor();

    await keyboard.press("j");
    await keyboard.press("Enter");
    await expect.poll(() => title(stage)).toBe("npm test");
    await keyboard.press("ArrowDown");
    await keyboard.press("j");
    await keyboard.press("Enter");
    await expect.poll(() => title(stage)).toBe("cargo build");
    await keyboard.press("k");
    expect(await page.evaluate("document.activeElement.textContent")).toContain("npm test");

    await keyboard.press("/");
    await keyboard.type("make");
    expect(await page.locator(".session").count()).toBe(1);
    await keyboard.press("Escape");
    expect(await page.locator(".session").count()).toBe(3);
    await keyboard.press("Escape");
    await page.getByText("Choose a session").waitFor();
    expect(page.url()).toBe(`${stage.origin}/#/`);
    expect(stage.faults).toEqual([]);
  });

  test("[W3] the help names the keys and closes, and the batches come and go", async () => {
    await using stage = await open({ source: three });
    const { page } = stage;
    stage.startCall();
    await stage.open();
    await page.getByText("$ make -j8").waitFor();

    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(await page.getByRole("dialog").locator("kbd").count()).toBeGreaterThan(8);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);

    await page.keyboard.press("b");
    await expect.poll(() => page.locator(".batches").count()).toBe(0);
    await page.keyboard.press("b");
    await page.locator(".batches").waitFor();
    expect(await title(stage)).toBe("make -j8");
  });

  test("[W3] whatever has the focus shows it, and nothing moves for whoever wants no motion", async () => {
    await using stage = await open({
      source: three,
      context: { reducedMotion: "reduce" },
    });
    const { page } = stage;
    stage.startCall();
    await stage.open();
    await page.getByText("$ make -j8").waitFor();

    const focused = new Map<string, string>();
    for (let count = 0; count < 12; count += 1) {
      await page.keyboard.press("Tab");
      const [tag, name, outline] = await page.evaluate<[string, string, string]>(
        `(({ tagName, className, textContent }) =>
          [tagName, className + textContent.slice(0, 40), getComputedStyle(document.activeElement).outlineStyle])(document.activeElement)`,
      );
      // Past its last element the focus leaves the page.
      if (tag !== "BODY") focused.set(name, outline);
    }
    expect(focused.size).toBeGreaterThan(6);
    expect([...focused].filter(([, outline]) => outline !== "solid")).toEqual([]);
    expect(await page.evaluate("document.getAnimations().length")).toBe(0);
  });

  test("[W3] a host without sessions says what to do", async () => {
    const none = (lane: ServedLane): WireSource => ({ sessions: async () => [], session: (id) => lane.session(id) });
    await using stage = await open({ source: none });
    await stage.open();

    await stage.page.getByRole("heading", { name: "No sessions yet" }).waitFor();
    expect(await stage.page.locator(".snippet").textContent()).toBe("spillway run -- make -j8");
  });
});
