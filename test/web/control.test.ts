import { describe, expect, test } from "vitest";
import { tokens } from "../../src/wire/fixtures/served-lane.js";
import { isCi } from "../support/machine-needs.js";
import { skipReason } from "./support/chromium.js";
import { overflow, takePicture } from "./support/look.js";
import { usePage } from "./support/page-suite.js";
import type { ViewerStage } from "./support/viewer-stage.js";

const looks = [
  { name: "narrow-dark", colorScheme: "dark", width: 360, height: 740 },
  { name: "wide-light", colorScheme: "light", width: 1280, height: 800 },
  { name: "narrow-light", colorScheme: "light", width: 360, height: 740 },
  { name: "wide-dark", colorScheme: "dark", width: 1280, height: 800 },
] as const;

/** Outside CI those tests are run that show most. */
const isLeftToCi = !isCi;

/** The state of the newest call as the host has it. */
const stateOf = ({ source }: ViewerStage): string | undefined => {
  const row = source.chat.snapshot().rows.at(-1);
  return row?.type === "tool" ? row.state : undefined;
};

describe.skipIf(skipReason !== undefined)("with a token for control", () => {
  const open = usePage();

  test("[W4] it is shown with all of it, allowed with a press, and says so from then on", async () => {
    await using stage = await open();
    const { page, source } = stage;
    source.askFor({ command: "rm -rf build\nmake all", timeout: 60 }, "it deletes files");
    await stage.open(tokens.control);
    await page.getByText("Waits for approval.").waitFor();
    expect(await page.locator(".command").textContent()).toBe("$ rm -rf build\nmake all\ntimeout: 60");
    await page.getByText("it deletes files").waitFor();

    await page.getByRole("button", { name: "Allow", exact: true }).click();

    await page.getByText(/^Allowed at/).waitFor();
    expect(source.decisions).toEqual([{ decision: "allow" }]);
    expect([stateOf(stage), await page.locator(".approval").count()]).toEqual(["running", 0]);
    expect(stage.faults).toEqual([]);
  });

  test.skipIf(isLeftToCi)(
    "[W4] with the keyboard alone: a goes to it, Enter in the reason denies, and Always is the third",
    async () => {
      await using stage = await open();
      const { page, source } = stage;
      source.askFor({ command: "make install" });
      await stage.open(tokens.control);
      await page.getByText("Waits for approval.").waitFor();

      await page.keyboard.press("a");
      const focused = (): Promise<string> => page.evaluate<string>("document.activeElement.textContent");
      expect(await focused()).toBe("Allow");
      for (const name of ["Deny", "Always allow bash", ""]) {
        await page.keyboard.press("Tab");
        expect(await focused()).toBe(name);
      }
      await page.keyboard.type("jab not as root");
      await page.keyboard.press("Enter");
      await page.getByText(/^Denied at .*: jab not as root$/).waitFor();

      source.askFor({ command: "make" });
      await page.getByText("Waits for approval.").waitFor();
      await page.keyboard.press("a");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      await page.getByText(/^Allowed at/).waitFor();

      expect(source.decisions).toEqual([
        { decision: "deny", reason: "jab not as root" },
        { decision: "allow", always: true },
      ]);
    },
  );

  test("[W3] [W4] a token for watching sees that it waits, without anything to press", async () => {
    await using stage = await open();
    stage.source.askFor({ command: "make" });
    await stage.open(tokens.view);

    await stage.page.getByText("Waits for approval.").waitFor();
    await stage.page.getByText(/This address only watches/).waitFor();

    expect(await stage.page.getByRole("button", { name: /allow|deny/i }).count()).toBe(0);
    expect(await stage.page.locator("textarea").count()).toBe(0);
  });

  test.skipIf(isLeftToCi)(
    "[W4] what was decided elsewhere meanwhile is said, and a host that is away loses no decision silently",
    async () => {
      await using stage = await open();
      const { page, source } = stage;
      source.askFor({ command: "make" });
      await stage.open(tokens.control);
      await page.getByRole("button", { name: "Deny" }).waitFor();

      await stage.killHost();
      await page.getByRole("button", { name: "Allow", exact: true }).click();
      await page.getByRole("alert").getByText("The host does not answer.").waitFor();
      await stage.restartHost();
      await page.getByRole("button", { name: "Allow", exact: true }).click();

      await page.getByText(/^Allowed at/).waitFor();
      expect([source.decisions, stage.source.decisions]).toEqual([[], [{ decision: "allow" }]]);
      const elsewhere = stage.source.askFor({ command: "make again" });
      await page.getByRole("button", { name: "Deny" }).waitFor();
      await stage.source.approve("main", elsewhere, { decision: "deny", reason: "I was first" });
      await page.getByText(/: I was first$/).waitFor();
      expect(await page.locator(".approval").count()).toBe(0);
    },
  );

  test.each(isLeftToCi ? looks.slice(0, 1) : looks)(
    "[W4] $name: it lies within the window",
    async ({ name, colorScheme, width, height }) => {
      await using stage = await open({ context: { viewport: { width, height }, colorScheme } });
      const { source, page } = stage;
      source.play([...source.lane.startOperation(), ...source.lane.prompt("Clean up and build.")]);
      source.askFor({ command: `rm -rf ${"build/cache/".repeat(12)}` }, "it deletes what is not in version control");
      await source.say("main", "Keep the logs, please.", "steer");
      await source.say("main", "Then run the tests.", "followUp");
      await stage.open(tokens.control);
      await page.getByText("Then run the tests.").waitFor();
      await page.keyboard.press("a");

      await takePicture(stage, `approval-${name}`);
      expect(await overflow(stage)).toEqual([]);
      expect(stage.faults).toEqual([]);
    },
  );

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

  test.skipIf(isLeftToCi)(
    "[W5] Escape leaves the box with what is in it, keys in it are text, and blanks are not sent",
    async () => {
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
    },
  );

  test.skipIf(isLeftToCi)(
    "[W5] there is no box where nobody would hear, and none with a token for watching",
    async () => {
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
    },
  );
});
