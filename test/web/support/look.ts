import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ViewerStage } from "./viewer-stage.js";

/** Where pictures are put for a person to look at; none are made without it. */
const pictures = process.env["SPILLWAY_SCREENSHOTS"];

export async function takePicture({ page }: ViewerStage, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** What reaches beyond the right edge of the window. */
export async function overflow({ page }: ViewerStage): Promise<unknown> {
  return await page.evaluate(`
    [...document.querySelectorAll("body *")]
      .filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5 && getComputedStyle(e).position !== "fixed")
      .map((e) => e.tagName + "." + e.className)`);
}
