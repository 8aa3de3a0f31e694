import { describe, expect, test } from "vitest";
import { seededRandom, seedsOf } from "../../src/lane/fixtures/random.js";
import { randomStep } from "../../src/lane/fixtures/simulated-lane.js";
import { ChaosProxy } from "../../src/wire/fixtures/chaos-proxy.js";
import { launchChromium, skipReason } from "./support/chromium.js";
import { usePage } from "./support/page-suite.js";
import { expectShown, readShown } from "./support/shown.js";
import type { ViewerStage } from "./support/viewer-stage.js";

const isCi = process.env["CI"] === "true";
/** By then several tries to connect have failed. */
const LONG_CUT_MS = 5_000;
/** Few enough that a connection seldom lasts. */
const FORWARDED_BYTES = 30_000;
/** Pauses, silences and polls of the page pass twenty times as fast. */
const quickTimers = `const slow = setTimeout; window.setTimeout = (call, ms, ...rest) => slow(call, ms / 20, ...rest);`;

describe.skipIf(skipReason !== undefined)("the page's connection", () => {
  const open = usePage();
  const status = (stage: ViewerStage) => stage.page.locator(".connection-state");
  const followAgain = (stage: ViewerStage) => stage.page.getByRole("button", { name: "Follow again" });

  test("[C2] a host that is gone for 5 s is waited for, what came stays, and a new one is followed by itself", async () => {
    await using stage = await open();
    const call = stage.startCall();
    stage.source.play(stage.source.lane.write(call, "before\n"));
    await stage.open();
    await stage.page.getByText("before").waitFor();
    expect(await status(stage).textContent()).toBe("following");

    await stage.killHost();
    const cut = stage.page.waitForTimeout(LONG_CUT_MS);
    await status(stage).getByText("waiting", { exact: true }).waitFor();
    await stage.page.getByText(/^The host does not answer/).waitFor();
    expect((await readShown(stage.page))[0]?.text).toBe("before\n");
    await cut;

    stage.source.play(stage.source.lane.write(call, "while nobody looked\n"));
    await stage.restartHost();
    await stage.page.getByText("while nobody looked").waitFor();
    stage.source.play(stage.source.lane.write(call, "after\n"));
    await stage.page.getByText("after").waitFor();

    expect(await status(stage).textContent()).toBe("following");
    expect(await readShown(stage.page)).toEqual(expectShown(stage.source.chat.snapshot()));
    expect(stage.faults).toEqual([]);
  });

  test("[C2] a run that ends ends the stream, and the page says so and goes on when another process takes it up", async () => {
    await using stage = await open();
    const { source } = stage;
    const call = stage.startCall();
    await stage.open();
    await stage.page.getByText("$ make -j8").waitFor();

    source.play(source.lane.write(call, "the last words\n"));
    source.play(source.lane.endTool(call));
    source.play(source.lane.endOperation());
    source.finish();
    await status(stage).getByText("ended", { exact: true }).waitFor();
    expect(await readShown(stage.page)).toEqual(expectShown(source.chat.snapshot()));
    expect(await followAgain(stage).count()).toBe(0);

    await stage.killHost();
    await stage.page.getByText(/^The host does not answer/).waitFor();
    expect(await status(stage).textContent()).toBe("ended");
    await stage.restartHost();
    stage.startCall("make install");
    await stage.page.getByText("$ make install").waitFor();

    expect(await readShown(stage.page)).toEqual(expectShown(stage.source.chat.snapshot()));
  });

  test("[C2] a stream that was refused is followed again when a person asks for it", async () => {
    let isGone = false;
    await using stage = await open({
      source: (lane) => ({
        sessions: () => lane.sessions(),
        session: async (id) => (isGone ? undefined : lane.session(id)),
      }),
    });
    const call = stage.startCall();
    await stage.open();
    await status(stage).getByText("following", { exact: true }).waitFor();
    isGone = true;
    await stage.killHost();
    await stage.restartHost();
    await stage.page.getByText("the session is gone").waitFor();

    isGone = false;
    stage.source.play(stage.source.lane.write(call, "back again\n"));
    await followAgain(stage).click();
    await stage.page.getByText("back again").waitFor();

    expect(await status(stage).textContent()).toBe("following");
    expect(await followAgain(stage).count()).toBe(0);
    expect(await readShown(stage.page)).toEqual(expectShown(stage.source.chat.snapshot()));
  });

  test("[C2] a session that the host does not have is said to be gone", async () => {
    await using stage = await open();
    await stage.open();
    await stage.page.getByText("make -j8").first().waitFor();

    await stage.page.evaluate(`location.hash = "#/s_gone"`);
    await stage.page.getByRole("heading", { name: "This session is gone" }).waitFor();
    await stage.page.getByRole("button", { name: "Back to the sessions" }).click();

    await stage.page.getByText("Choose a session").waitFor();
    expect(stage.page.url()).toBe(`${stage.origin}/#/`);
  });

  const finds: number[] = [];
  test.each(seedsOf(isCi ? 3 : 1, finds))(
    "[C2] after any cuts, stalls, half frames and restarts the page shows the host's value (seed %i)",
    { timeout: 300_000 },
    async (seed) => {
      const random = seededRandom(seed);
      await using stage = await open({ heartbeatMs: 150 });
      const proxy = new ChaosProxy(stage.port, random, FORWARDED_BYTES);
      const proxyPort = await proxy.listenTcp();
      const mapped = await launchChromium([`--host-resolver-rules=MAP 127.0.0.1:${stage.port} 127.0.0.1:${proxyPort}`]);
      const page = await mapped.newPage();
      await page.addInitScript(quickTimers);
      proxy.isCalm = true;
      await page.goto(`${stage.origin}/#token=view-token`);
      await page.locator(".connection.is-following").waitFor();
      proxy.isCalm = false;
      proxy.cutAll();

      const wanted = isCi ? 100 : 6;
      let restarts = 0;
      while (proxy.disturbances < wanted || restarts < 2 || Math.min(...Object.values(proxy.counts)) === 0) {
        for (let step = 0; step < 20; step += 1) stage.source.play(randomStep(stage.source.lane, random));
        if (random() < 0.05) {
          restarts += 1;
          await stage.killHost();
          await stage.restartHost();
        }
        await page.waitForTimeout(20);
      }
      proxy.isCalm = true;
      proxy.cutAll();
      stage.source.play(
        stage.source.lane.operationId === undefined
          ? stage.source.lane.startOperation()
          : stage.source.lane.prompt("the last word"),
      );

      const readLive = async (): Promise<unknown> => (await readShown(page)).slice(-expected().length);
      const expected = (): ReturnType<typeof expectShown> => expectShown(stage.source.chat.snapshot());
      await expect.poll(readLive, { timeout: 30_000, message: `seed ${seed}` }).toEqual(expected());
      await mapped.close();
      await proxy.close();
    },
  );
});
