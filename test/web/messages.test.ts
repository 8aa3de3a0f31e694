import { describe, expect, test } from "vitest";
import { tokens } from "../../src/wire/fixtures/served-lane.js";
import { skipReason } from "./support/chromium.js";
import { usePage } from "./support/page-suite.js";

describe.skipIf(skipReason !== undefined)("what is said to a lane", () => {
  const open = usePage();

  test("[W5] Enter sends a prompt, then steers or follows up, and what waits can be taken back", async () => {
    await using stage = await open();
    const { page, source } = stage;
    await stage.open(tokens.control);
    await page.getByRole("textbox", { name: "Prompt" }).waitFor();

    await page.keyboard.press("m");
    await page.keyboard.type("Build it,");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("and be quick.");
    await page.keyboard.press("Enter");
    const box = page.getByRole("textbox", { name: "Message to what runs" });
    await box.waitFor();
    expect(await box.inputValue()).toBe("");
    await page.keyboard.type("in debug mode");
    await page.keyboard.press("Enter");
    await page.getByText("joins at the next step").waitFor();
    await page.getByRole("combobox", { name: "When it joins" }).selectOption("followUp");
    await box.fill("then rest");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("joins when what runs is done").waitFor();

    expect(source.said).toEqual(["Build it,\nand be quick.", "in debug mode", "then rest"]);
    await page.getByRole("button", { name: "Withdraw" }).first().click();
    await expect.poll(() => page.locator(".queued").count()).toBe(1);
    expect(source.view.queue).toMatchObject([{ text: "then rest" }]);
    expect(stage.faults).toEqual([]);
  });

  test("[W5] what cannot be sent stays, with the reason, and is sent by the next Enter", async () => {
    await using stage = await open();
    const { page } = stage;
    stage.startCall();
    await stage.open(tokens.control);
    const box = page.getByRole("textbox", { name: "Message to what runs" });
    await box.fill("faster");

    await stage.killHost();
    await box.press("Enter");
    await page.getByText("Not sent. The host does not answer.").waitFor();
    expect(await box.inputValue()).toBe("faster");
    await stage.restartHost();
    await box.press("Enter");

    await page.getByText("joins at the next step").waitFor();
    expect([await box.inputValue(), stage.source.said]).toEqual(["", ["faster"]]);
    expect(await page.getByText(/^Not sent/).count()).toBe(0);
  });

  test("[W5] Escape leaves the box with what is in it, keys in it are text, and blanks are not sent", async () => {
    await using stage = await open();
    const { page, source } = stage;
    stage.startCall();
    await stage.open(tokens.control);
    await page.getByRole("textbox", { name: "Message to what runs" }).waitFor();
    await page.keyboard.press("m");
    await page.keyboard.press("Enter");
    await page.keyboard.type(" jk?b/ ");
    await page.keyboard.press("Escape");

    expect(await page.locator("textarea").inputValue()).toBe(" jk?b/ ");
    expect(page.url()).toContain("s_1");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(source.said).toEqual([]);
  });

  test("[W5] there is no box where nobody would hear, and none with a token for watching", async () => {
    await using stage = await open();
    const { page, source } = stage;
    source.lanes = [{ id: "main", facets: ["chat", "lane"], takesMessages: false }];
    stage.startCall();
    await stage.open(tokens.control);
    await page.getByRole("button", { name: "Stop" }).waitFor();
    expect(await page.locator("textarea").count()).toBe(0);

    source.lanes = [{ id: "main", facets: ["chat", "lane"], takesMessages: true }];
    await source.say("main", "faster", "steer");
    await stage.open(tokens.view);
    await page.reload();
    await page.getByText("joins at the next step").waitFor();
    expect(await page.locator("textarea").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Withdraw" }).count()).toBe(0);
  });
});
