import { describe, expect, test } from "vitest";
import { outputOf, tokens } from "../../src/wire/fixtures/served-lane.js";
import type { SessionSummary } from "../../src/wire/index.js";
import { isCi } from "../support/machine-needs.js";
import { skipReason } from "./support/chromium.js";
import { overflow, takePicture } from "./support/look.js";
import { playLongRun, slideBuild } from "./support/long-run.js";
import { usePage } from "./support/page-suite.js";
import type { ViewerStage } from "./support/viewer-stage.js";

const everyLook = [
  { name: "wide-light", colorScheme: "light", width: 1440, height: 900 },
  { name: "wide-dark", colorScheme: "dark", width: 1440, height: 900 },
  { name: "middle-light", colorScheme: "light", width: 900, height: 700 },
  { name: "narrow-light", colorScheme: "light", width: 360, height: 740 },
  { name: "narrow-dark", colorScheme: "dark", width: 360, height: 740 },
] as const;
/** Outside CI the two that differ most. */
const looks = everyLook.filter(({ name }) => isCi || name === "wide-light" || name === "narrow-dark");

describe.skipIf(skipReason !== undefined)("the page", () => {
  const open = usePage();

  test.each(looks)("[W3] $name: a run is shown within the window, in the scheme that was asked for", async (look) => {
    const { name, colorScheme, width, height } = look;
    await using stage = await open({
      context: { viewport: { width, height }, colorScheme },
      source: withSessions,
    });
    const build = playLongRun(stage);
    await stage.open(tokens.control);
    await stage.page.getByText("[100%] Linking").waitFor();
    for (let step = 0; step < 30; step += 1) {
      slideBuild(stage, build, 2);
      await stage.page.evaluate("new Promise(requestAnimationFrame)");
    }

    expect(await overflow(stage)).toEqual([]);
    const ground = String(await stage.page.evaluate("getComputedStyle(document.body).backgroundColor"));
    expect(brightness(ground) > 128).toBe(colorScheme === "light");
    await takePicture(stage, name);

    await stage.page.getByRole("button", { name: "Batches", exact: true }).click();
    expect(await overflow(stage)).toEqual([]);
    await takePicture(stage, `${name}-batches`);
    await stage.page.keyboard.press("Escape");
    await takePicture(stage, `${name}-list`);
    expect(await overflow(stage)).toEqual([]);
    expect(stage.faults).toEqual([]);
  });

  test("[W3] a window that becomes narrow shows the run, not the batches over it, and has them back when it is wide", async () => {
    await using stage = await open({ context: { viewport: { width: 1280, height: 800 } }, source: withSessions });
    const { page } = stage;
    playLongRun(stage);
    await stage.open();
    const batches = page.locator(".batches");
    await batches.waitFor();

    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => batches.count()).toBe(0);
    expect(await topmostAt(stage, 180, 600)).toContain("transcript");
    await takePicture(stage, "narrowed");
    await page.setViewportSize({ width: 1280, height: 800 });
    await batches.waitFor();
    await page.keyboard.press("b");
    await page.setViewportSize({ width: 360, height: 740 });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate("new Promise(requestAnimationFrame)");
    expect(await batches.count()).toBe(0);
  });

  test.each(["light", "dark"] as const)(
    "[W3] %s: the help, a full output, and what can go wrong are within the window too",
    async (colorScheme) => {
      const context = { viewport: { width: 360, height: 740 }, colorScheme };
      await using stage = await open({ context, source: withSessions });
      const { page } = stage;
      const look = async (name: string): Promise<void> => {
        expect([name, await overflow(stage)]).toEqual([name, []]);
        await takePicture(stage, `${colorScheme}-${name}`);
      };
      await stage.open("wrong");
      await page.getByRole("heading", { name: "This token is not known here" }).waitFor();
      await look("wrong-token");

      const build = playLongRun(stage);
      stage.source.outputs.set(build, outputOf(Buffer.from("[  1%] a line\n".repeat(20_000))));
      await stage.open();
      await page.getByRole("button", { name: "Full output" }).click();
      await page.locator(".preview-text").waitFor();
      await look("full-output");
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      await look("help");
      await page.keyboard.press("Escape");

      await stage.killHost();
      await page.locator(".connection.is-waiting").waitFor();
      await look("host-gone");
      await page.keyboard.press("Escape");
      await page.getByText(/^The host does not answer/).waitFor();
      await look("host-gone-list");
      await stage.restartHost();
      await page.evaluate(`location.hash = "#/s_gone"`);
      await page.getByRole("heading", { name: "This session is gone" }).waitFor();
      await look("session-gone");
    },
  );
});

function withSessions(lane: ViewerStage["source"]) {
  const others: SessionSummary[] = [
    { id: "s_2", state: "closed", title: "npm test", createdAt: 1, updatedAt: Date.now() - 3_600_000 },
    {
      id: "s_3",
      state: "interrupted",
      title: `./migrate --all ${"--shard=7 ".repeat(30)}`,
      createdAt: 1,
      updatedAt: Date.now() - 9e7,
    },
    { id: "s_4", state: "open", title: "cargo build --release", createdAt: 1, updatedAt: Date.now() - 40_000 },
  ];
  return {
    sessions: async () => [{ ...lane.summary, updatedAt: Date.now() - 2_000 }, ...others],
    session: (id: string) => lane.session(id),
  };
}

/** The place on the page that a person who looks there sees: its classes, and those of all that it lies in. */
async function topmostAt({ page }: ViewerStage, x: number, y: number): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const classes = [];
    for (let e = document.elementFromPoint(${x}, ${y}); e !== null; e = e.parentElement) classes.push(e.className);
    return classes.join(" ");
  })()`);
}

function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
  return (red * 299 + green * 587 + blue * 114) / 1_000;
}
