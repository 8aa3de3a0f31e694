// npm run soak -- [--minutes M] [--seed N]: builds what the soak runs, runs it, and reports.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildPrograms } from "./build.mjs";

const start = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));
const built = spawnSync(process.execPath, [start, "--build-only"], { stdio: ["ignore", "inherit", "inherit"] });
if (built.status === 0) {
  const { folder, main: path, programs } = await buildPrograms();
  try {
    const { main } = await import(pathToFileURL(path).href);
    process.exitCode = await main(process.argv.slice(2), programs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} else {
  process.exitCode = built.status ?? 1;
}
