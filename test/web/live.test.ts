import { describe, expect, test } from "vitest";
import { tokens } from "../../src/wire/fixtures/served-lane.js";
import { skipReason } from "./support/chromium.js";
import { slideBuild } from "./support/long-run.js";
import { usePage } from "./support/page-suite.js";
import { expectShown, readShown } from "./support/shown.js";
import type { ViewerStage } from "./support/viewer-stage.js";

describe.skipIf(skipReason !== undefined)("a live lane", () => {
  const open = usePage();

  test("[C1] prompt, answer, call and its text are shown as they come, grow and slide", async () => {
    await using stage = await open();
    const { source } = stage;
    const { lane } = source;
    source.play(lane.startOperation());
    source.play(lane.prompt("build it"));
    await stage.open();
    await stage.page.getByText("build it").waitFor();

    source.play(lane.startMessage());
    source.play(lane.say("On "));
    source.play(lane.say("it."));
    source.play(lane.endMessage("toolCalls"));
    const call = stage.startCall();
    source.play(lane.write(call, "first line\n"));
    await stage.page.getByText("first line").waitFor();
    source.play(lane.write(call, "second line\n"));
    source.play(lane.slide(call, "first line\n".length, "third line\n"));
    source.play(lane.editTool(call, (output) => (output.progress = "42%")));
    await stage.page.getByText("42%").waitFor();

    const expected = expectShown(source.chat.snapshot());
    expect(expected).toHaveLength(3);
    expect(expected[2]).toEqual({
      label: "$ make -j8",
      state: "running",
      text: "second line\nthird line\n",
      progress: "42%",
      notice: "",
    });
    expect(await readShown(stage.page)).toEqual(expected);
    expect(stage.faults).toEqual([]);
  });

  test("[C1] a window that slides by thousands of lines is at every moment the host's", async () => {
    await using stage = await open();
    const call = stage.startCall();
    await stage.open();
    await stage.page.getByText("$ make -j8").waitFor();

    for (let round = 0; round < 5; round += 1) {
      slideBuild(stage, call, 150);
      stage.source.play(stage.source.lane.editTool(call, (output) => (output.progress = `round ${round}`)));
      await stage.page.getByText(`round ${round}`).waitFor();

      expect(await readShown(stage.page)).toEqual(expectShown(stage.source.chat.snapshot()));
    }
    await stage.page.getByText(/2,250 lines · .* · at most 51\.2 kB shown/).waitFor();
  });

  test.each([
    [true, undefined, "failed"],
    [true, "aborted", "aborted"],
    [true, "interrupted", "interrupted"],
    [false, undefined, "done"],
  ] as const)(
    "[F1] a call that ends with isError %s, stopped %s is %s, with its notice",
    async (isError, stopped, state) => {
      await using stage = await open();
      const { source } = stage;
      const call = stage.startCall();
      await stage.open();
      await stage.page.getByText("running", { exact: true }).waitFor();

      source.play(source.lane.write(call, "some output\n"));
      source.play(
        source.lane.editTool(call, (output) => {
          output.content.push({ type: "text", text: "[Line 1 of 1 shown.]\nIt ended.", notice: true });
        }),
      );
      source.play(source.lane.endTool(call, isError, stopped));
      source.play(source.lane.endOperation(isError ? "failed" : "completed", isError ? "as it had to" : undefined));
      await stage.page.locator(".ending").waitFor();

      const [row] = await readShown(stage.page);
      expect(row).toEqual({
        label: "$ make -j8",
        state,
        text: "some output\n",
        progress: "",
        notice: "[Line 1 of 1 shown.]\nIt ended.",
      });
      expect(await stage.page.locator(".ending").textContent()).toBe(isError ? "failed as it had to" : "completed");
    },
  );

  test("[F3] earlier items are had page by page, without a hole and without one doubled", async () => {
    await using stage = await open();
    const { source } = stage;
    source.play(source.lane.startOperation());
    for (let index = 0; index < 230; index += 1) source.play(source.lane.prompt(`prompt ${index}.`));
    await stage.open();
    await stage.page.getByText("prompt 229.").waitFor();
    expect(await stage.page.getByText("prompt 129.").count()).toBe(0);

    await stage.page.getByRole("button", { name: "Load earlier (130 items)" }).click();
    await stage.page.getByText("prompt 80.").waitFor();
    // Rows that the host lets go while they are shown here stay.
    for (let index = 230; index < 260; index += 1) source.play(source.lane.prompt(`prompt ${index}.`));
    await stage.page.getByText("prompt 259.").waitFor();
    // Who is at the top gets the next page without asking: the key is for whoever is elsewhere.
    await expect
      .poll(async () => {
        await stage.page.keyboard.press("e");
        return stage.page.getByText("prompt 0.").count();
      })
      .toBe(1);

    const texts = (await readShown(stage.page)).map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 260 }, (_, index) => `prompt ${index}.`));
    expect(await stage.page.getByRole("button", { name: /Load earlier/ }).count()).toBe(0);
  });

  test("[F3] scrolling to the top loads what is before, and the newest is one press away", async () => {
    await using stage = await open();
    const { source } = stage;
    source.play(source.lane.startOperation());
    for (let index = 0; index < 130; index += 1) source.play(source.lane.prompt(`prompt ${index}.`));
    await stage.open();
    await stage.page.getByText("prompt 129.").waitFor();

    await stage.page.locator("#transcript").hover();
    await stage.page.mouse.wheel(0, -100_000);
    await stage.page.getByText("prompt 0.").waitFor();
    source.play(source.lane.prompt("written below"));
    await stage.page.getByText("written below").waitFor();

    expect(await stage.page.getByText("written below").isVisible()).toBe(true);
    expect(await isInView(stage, "written below")).toBe(false);
    await stage.page.getByRole("button", { name: "Newest" }).click();
    await expect.poll(() => isInView(stage, "written below")).toBe(true);
  });

  test("[W3] what runs can be stopped with the control token, and only with it", async () => {
    await using stage = await open();
    stage.startCall();
    await stage.open(tokens.view);
    await stage.page.getByText("$ make -j8").waitFor();
    expect(await stage.page.getByRole("button", { name: "Stop" }).count()).toBe(0);

    await stage.open(tokens.control);
    await stage.page.getByRole("button", { name: "Stop" }).click();
    expect(stage.source.aborts).toEqual([]);
    await stage.page.getByRole("button", { name: "Really stop?" }).click();
    await stage.page.getByRole("button", { name: "Stopping …" }).waitFor();

    await expect.poll(() => stage.source.aborts).toEqual(["stopped in the viewer"]);
    expect(stage.faults).toEqual([]);
  });

  test("[C1] the batches are listed with the bytes that the host sent, beside what snapshots would have been", async () => {
    await using stage = await open();
    const { source } = stage;
    const call = stage.startCall();
    const sent: string[][] = [];
    source.chat.subscribe({
      receive: ({ message, json }) => {
        const frame = `id: ${message.seq}\ndata: ${json}\n\n`;
        const verbs = message.ops.map(([verb]) => verb).filter((verb) => verb !== "#");
        sent.unshift([String(message.seq), verbs.join(" "), Buffer.byteLength(frame).toLocaleString("en-US")]);
      },
      end: () => {},
    });
    await stage.open();
    await stage.page.getByText("$ make -j8").waitFor();
    let snapshotBytes = Buffer.byteLength(JSON.stringify(source.chat.snapshot()));

    for (const text of ["a\n", "日本\n", "c\n"]) {
      source.play(source.lane.write(call, text));
      snapshotBytes += Buffer.byteLength(JSON.stringify(source.chat.snapshot()));
    }
    await stage.page.getByText("日本").waitFor();

    const cells = stage.page.locator(".batch-list tbody tr");
    await expect.poll(() => cells.count()).toBe(4);
    const listed = await Promise.all((await cells.all()).map((row) => row.locator("td").allTextContents()));
    expect(listed.map(([seq, verbs, bytes]) => [seq, verbs?.replace("s a", "a s"), bytes])).toEqual(
      sent.map(([seq, verbs, bytes]) => [seq, verbs?.replace("s a", "a s"), bytes]),
    );
    const label = await stage.page.getByRole("img").getAttribute("aria-label");
    expect(label).toMatch(/ sent in 4 batches; as snapshots /);
    expect(label).toContain(`as snapshots ${(snapshotBytes / 1_000).toFixed(2)} kB`);
  });
});

async function isInView({ page }: ViewerStage, text: string): Promise<boolean> {
  const box = await page.getByText(text).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}
