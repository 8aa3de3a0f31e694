import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readPageFiles } from "../../../src/cli/page-files.js";
import type { WirePage } from "../../../src/wire/index.js";
import { repository } from "../../support/files.js";

export interface BuiltPage extends Disposable {
  readonly folder: string;
  readonly files: WirePage;
}

/** The page as a start builds it, in a folder of its own. */
export async function buildPage(): Promise<BuiltPage> {
  const folder = mkdtempSync(join(tmpdir(), "spillway-page-"));
  await promisify(execFile)(process.execPath, [join(repository, "scripts", "start", "build-page.mjs"), folder]);
  const files = readPageFiles(folder);
  if (files === undefined) throw new Error("the build made no page");
  return { folder, files, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
