import { describe, expect, test } from "vitest";
import { tokens } from "../../src/wire/fixtures/served-lane.js";
import { skipReason } from "./support/chromium.js";
import { usePage } from "./support/page-suite.js";

describe.skipIf(skipReason !== undefined)("the token", () => {
  const open = usePage();

  test("[W3] the token leaves the address at once, and a reload shows the same session with it", async () => {
    await using stage = await open();
    stage.startCall();
    await stage.open();
    await stage.page.getByText("$ make -j8").waitFor();
    expect(stage.page.url()).toBe(`${stage.origin}/#/s_1`);

    await stage.page.reload();
    await stage.page.getByText("$ make -j8").waitFor();

    expect(stage.page.url()).toBe(`${stage.origin}/#/s_1`);
    await stage.page.goBack().catch(() => null);
    expect(stage.page.url()).not.toContain(tokens.view);
    expect(stage.faults).toEqual([]);
  });

  test("[W3] the token goes to the host in a header alone, never in an address", async () => {
    await using stage = await open();
    stage.startCall();
    const requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
    stage.page.on("request", (request) =>
      requests.push({ url: request.url(), authorization: request.headers()["authorization"] }),
    );
    await stage.open();
    await stage.page.getByText("$ make -j8").waitFor();

    expect(requests.filter(({ url }) => url.replace(/#.*/, "").includes(tokens.view))).toEqual([]);
    const toApi = requests.filter(({ url }) => url.includes("/api/"));
    expect(toApi.length).toBeGreaterThan(2);
    expect(toApi.filter(({ authorization }) => authorization !== `Bearer ${tokens.view}`)).toEqual([]);
    expect(requests.filter(({ url, authorization }) => !url.includes("/api/") && authorization !== undefined)).toEqual(
      [],
    );
  });

  test("[W3] a new tab has no token of another one", async () => {
    await using stage = await open();
    await stage.open();
    await stage.page.getByText("make -j8").first().waitFor();

    const other = await stage.page.context().newPage();
    await other.goto(stage.origin);

    await other.getByRole("heading", { name: "A token is needed" }).waitFor();
    expect(await other.evaluate("sessionStorage.length")).toBe(0);
  });

  test("[W3] without a token, and with a wrong one, the page says so and takes one", async () => {
    await using stage = await open();
    stage.startCall();
    await stage.page.goto(stage.origin);
    await stage.page.getByRole("heading", { name: "A token is needed" }).waitFor();

    await stage.page.getByLabel("Token").fill("not-the-token");
    await stage.page.keyboard.press("Enter");
    await stage.page.getByRole("heading", { name: "This token is not known here" }).waitFor();
    expect(await stage.page.evaluate("sessionStorage.length")).toBe(0);

    await stage.page.getByLabel("Token").fill(tokens.view);
    await stage.page.getByRole("button", { name: "Open" }).click();
    await stage.page.getByText("$ make -j8").waitFor();
    expect(stage.faults).toEqual([]);
  });

  test("[W3] a link with another token takes the place of the one that is held", async () => {
    await using stage = await open();
    stage.startCall();
    await stage.open(tokens.view);
    await stage.page.getByText("$ make -j8").waitFor();

    await stage.open("wrong");

    await stage.page.getByRole("heading", { name: "This token is not known here" }).waitFor();
    expect(await stage.page.getByText("$ make -j8").count()).toBe(0);
  });
});
