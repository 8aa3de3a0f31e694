import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

const PROGRAMS = [process.env["SPILLWAY_TEST_CHROMIUM"], "/usr/bin/chromium", "/usr/bin/google-chrome"];

// The first three: a machine of CI runs this as root and has no display. The others: nothing but the page is to be
// asked for over the network.
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const program = PROGRAMS.find((path) => path !== undefined && existsSync(path));

/** Why these tests are not run here; undefined where they are. CI never goes without them. */
export const skipReason =
  program !== undefined || process.env["CI"] === "true"
    ? undefined
    : "no Chromium here: install it, or name one in SPILLWAY_TEST_CHROMIUM";

if (skipReason !== undefined) console.log(`tests of the page are not run: ${skipReason}`);

export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  if (program === undefined) throw new Error(`CI needs Chromium; none of ${PROGRAMS.join(", ")} is there`);
  return await chromium.launch({ executablePath: program, args: [...ARGUMENTS, ...more] });
}
