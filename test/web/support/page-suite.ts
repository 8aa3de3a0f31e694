import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { buildPage } from "./built-page.js";
import type { BuiltPage } from "./built-page.js";
import { launchChromium } from "./chromium.js";
import { openViewer } from "./viewer-stage.js";
import type { StageOptions, ViewerStage } from "./viewer-stage.js";

/** Opens the page in a window of its own, with a served lane behind it. */
export type OpenPage = (options?: Omit<StageOptions, "browser" | "files">) => Promise<ViewerStage>;

/** One Chromium and one built page for all tests of a suite. */
export function usePage(): OpenPage {
  let browser: Browser;
  let built: BuiltPage;
  beforeAll(async () => {
    [browser, built] = await Promise.all([launchChromium(), buildPage()]);
  });
  afterAll(async () => {
    await browser.close();
    built[Symbol.dispose]();
  });
  return (options = {}) => openViewer({ browser, files: built.files, ...options });
}
