import { describe, expect, test } from "vitest";
import { outputOf, tokens } from "../../src/wire/fixtures/served-lane.js";
import { skipReason } from "./support/chromium.js";
import { usePage } from "./support/page-suite.js";
import { expectShown, readShown } from "./support/shown.js";
import type { ViewerStage } from "./support/viewer-stage.js";

const markup = [
  `<img src=x onerror="alert(1)">`,
  `<script>alert(2)</script>`,
  `<a href="javascript:alert(3)">javascript:alert(3)</a>`,
  `<svg onload=alert(4)><style>*{display:none}</style>`,
  `<iframe srcdoc="<script>parent.alert(5)</script>"></iframe>`,
  `</div></pre></textarea></title><base href="http://attacker.test/">`,
  `<link rel=stylesheet href=http://attacker.test/x.css><img src=http://attacker.test/x.png>`,
  `&lt;b&gt; &amp; &#60;i&#62; {{constructor}} \${alert(6)} <!-- -->`,
].join("\n");
const escapes = "\u001b[2J\u001b]0;title\u0007\u001b]52;c;ZWNobw==\u0007\u001b[?1049h\u009b31m\u0000\b\u007f";
const directions = "safe\u202egpj.exe \u2066 in \u2069 \u200f \u061c שלום";

describe.skipIf(skipReason !== undefined)("hostile text", () => {
  const open = usePage();

  test("[W3] markup in a prompt, an answer, a command, an output and a notice is text and nothing else", async () => {
    await using stage = await open();
    const { source } = stage;
    const { lane } = source;
    source.play(lane.startOperation());
    source.play(lane.prompt(markup));
    source.play(lane.startMessage());
    source.play(lane.say(markup));
    source.play(lane.endMessage());
    const call = stage.startCall(markup);
    source.play(lane.write(call, `${markup}\n`));
    source.play(lane.editTool(call, (output) => (output.progress = markup)));
    await stage.open();
    await stage.page.getByText("<script>alert(2)</script>").last().waitFor();
    const elements = await countElements(stage);

    source.play(lane.write(call, `${markup}\nlast line\n`));
    source.play(lane.editTool(call, (output) => output.content.push({ type: "text", text: markup, notice: true })));
    await stage.page.locator(".notice").waitFor();

    expect(await readShown(stage.page)).toEqual(expectShown(source.chat.snapshot()));
    // One notice came, and no element that the text names.
    expect(await countElements(stage)).toBe(elements + 1);
    expect(
      await stage.page.evaluate(`document.querySelectorAll("#page :is(img, script, iframe, base, style)").length`),
    ).toBe(0);
    expect(stage.faults).toEqual([]);
  });

  test("[W3] controls and characters that turn the reading direction are shown as signs in their place", async () => {
    await using stage = await open();
    const { source } = stage;
    const call = stage.startCall(`echo ${directions}`);
    source.play(source.lane.write(call, `${escapes}\n${directions}\n`));
    await stage.open();
    await stage.page.getByText("gpj.exe").last().waitFor();

    const [row] = await readShown(stage.page);

    expect(row?.text).toBe("␛[2J␛]0;title�␛]52;c;ZWNobw==�␛[?1049h�31m���\nsafe�gpj.exe � in � � � שלום\n");
    expect(row?.label).toBe("$ echo safe�gpj.exe � in � � � שלום");
    expect(row).toEqual(expectShown(source.chat.snapshot())[0]);
  });

  test("[F3] one line of ten million characters is shown as far as the window holds it", async () => {
    await using stage = await open();
    const { source } = stage;
    const { lane } = source;
    const call = stage.startCall("yes | tr -d '\\n'");
    await stage.open();
    await stage.page.getByText("$ yes").waitFor();
    const piece = "<b>y</b>".repeat(6_400);

    for (let bytes = 0; bytes < 10_000_000; bytes += piece.length) {
      source.play(
        lane.editTool(call, (output) => {
          const [block] = output.content;
          if (block?.type === "text") block.text = piece;
          output.truncation.truncated = true;
          output.truncation.truncatedBy = "bytes";
          output.truncation.totalLines = 1;
          output.truncation.totalBytes += piece.length;
        }),
      );
    }
    source.play(lane.editTool(call, (output) => (output.progress = "that was it")));
    await stage.page.getByText("that was it").waitFor();

    expect((await readShown(stage.page))[0]?.text).toBe(piece);
    expect(await stage.page.evaluate("document.body.textContent.length")).toBeLessThan(60_000);
    expect(await stage.page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await stage.page.getByText("1 line · 10.0 MB · at most 51.2 kB shown").waitFor();
  });

  test("[W3] a full output is shown as text part by part, and saved byte for byte", async () => {
    await using stage = await open();
    const { source } = stage;
    const call = stage.startCall();
    const bytes = Buffer.from(`first ${markup}\n${"日本 🦊\n".repeat(20_000)}${escapes} last\n`);
    source.outputs.set(call, outputOf(bytes));
    source.play(source.lane.editTool(call, (output) => (output.details = { spillPath: "/spill/1.log" })));
    await stage.open();
    await stage.page.getByRole("button", { name: "Full output" }).click();
    const preview = stage.page.locator(".preview-text");
    await expect.poll(() => preview.textContent()).toMatch(/␛\[2J.* last\n$/);
    expect((await preview.textContent())?.length).toBeLessThan(65_536);

    await stage.page.getByRole("button", { name: "First" }).click();
    await expect.poll(() => preview.textContent()).toContain(`first ${markup}`);
    await stage.page.getByRole("button", { name: "Next" }).click();
    await expect
      .poll(() => stage.page.locator(".full-output .totals").textContent())
      .toMatch(/^bytes 65,536–131,072 of /);
    expect(await preview.textContent()).not.toMatch(/\ufffd/);

    const [saved] = await Promise.all([
      stage.page.waitForEvent("download"),
      stage.page.getByRole("button", { name: "Download" }).click(),
    ]);
    const pieces: Buffer[] = [];
    for await (const piece of await saved.createReadStream()) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    expect(saved.suggestedFilename()).toBe(`s_1-${call}.log`);
    expect(stage.faults).toEqual([]);
  });

  test("[W3] an output that is gone says since when, and why", async () => {
    const gone = "the output was swept on 2026-01-01, after 7 days";
    await using stage = await open({
      source: (lane) => ({
        sessions: () => lane.sessions(),
        session: async (id) => {
          const session = await lane.session(id);
          return session === undefined
            ? undefined
            : Object.assign(Object.create(session) as typeof session, {
                output: () => lane.output("op", "call_gone"),
              });
        },
      }),
    });
    const call = stage.startCall();
    stage.source.play(stage.source.lane.editTool(call, (output) => (output.details = { spillPath: "/spill/1.log" })));
    await stage.open(tokens.view);
    await stage.page.getByRole("button", { name: "Full output" }).click();

    const alert = stage.page.locator(".full-output").getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toBe(gone);
  });

  test("[W3] what these tests look for is found: markup that is set and a request elsewhere are refused and told", async () => {
    await using stage = await open();
    await stage.open();
    await stage.page.getByText("make -j8").first().waitFor();

    const setting = stage.page.evaluate(`document.body.innerHTML = "<b>x</b>"`);
    await expect(setting).rejects.toThrow(/TrustedHTML/);
    await stage.page.evaluate(`fetch("http://attacker.test/").catch(() => {})`);
    await stage.page
      .evaluate(`document.body.append(Object.assign(document.createElement("script"), { text: "alert(1)" }))`)
      .catch(() => undefined);

    await expect
      .poll(() => stage.faults.map((fault) => fault.split(" ").slice(0, 3).join(" ")))
      .toEqual(expect.arrayContaining(["content policy: require-trusted-types-for", "content policy: connect-src"]));
  });
});

async function countElements({ page }: ViewerStage): Promise<number> {
  return Number(await page.evaluate(`document.querySelectorAll(".transcript *").length`));
}
