import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { buildCli } from "./cli/support/built-cli.js";
import { buildPrograms } from "./soak/build.mjs";
import { describeFault } from "./soak/report.js";
import { isCi } from "./support/machine-needs.js";
import { runSeed } from "./support/random.js";

// Whole sessions over many lives of their processes; `npm run soak -- --minutes 10` runs more of the same.

const DURATION_MS = 120_000;
const SEED = runSeed();

test.skipIf(!isCi)(
  `[E2] [E3] [C2] [H1] [H3] [H5] [H6] [H8] [H9] [H26] [H28] [H33] [H34] [H40] rules hold over any kills of harness, exec host and viewers (seed ${SEED}; in CI, and by \`npm run soak\`)`,
  { timeout: 900_000 },
  async () => {
    await buildCli();
    const { folder, programs } = await buildPrograms();
    // Loaded here, because it brings all layers with it.
    const { soak } = await import("./soak/soak.js");

    const { counts, faults } = await soak({ durationMs: DURATION_MS, seed: SEED, programs });
    rmSync(folder, { recursive: true, force: true });

    expect(faults.map(describeFault)).toEqual([]);
    const { restarts, harnessKills, viewerKills, operations, calls, sights } = counts;
    expect(Math.min(restarts, harnessKills, viewerKills, operations, calls, sights)).toBeGreaterThan(5);
  },
);
