import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connectToStream, facetPath } from "../../src/wire/index.js";
import { follow } from "../../src/wire/client/index.js";
import type { Connection } from "../../src/wire/client/index.js";
import { fingerprint } from "./fingerprint.js";
import { FACETS, SIGHT_EVERY } from "./served.js";
import { SESSION, socketOf, TOKENS, worldAt, writeSight } from "./world.js";
import type { World } from "./world.js";

/** The one argument of the program, as JSON. */
export interface ViewerStart {
  readonly folder: string;
  readonly lanes: readonly string[];
}

// Follows lanes over any number of lives of the harness until their end, or until it is killed, and notes what it sees.

const { folder, lanes } = JSON.parse(process.argv[2] ?? "{}") as ViewerStart;
const world = worldAt(folder);
await Promise.all(lanes.flatMap((lane) => FACETS.map((facet) => view(world, lane, facet))));

async function view(world: World, lane: string, facet: string): Promise<void> {
  for (;;) {
    let life = 0;
    const connect = (): Connection => {
      life = newestLife(world);
      return connectToStream(
        { socketPath: socketOf(world, life), token: TOKENS.view },
        facetPath(SESSION, lane, facet),
      );
    };
    const { consumer, ended } = follow<object>({ connect });
    consumer.onChange(({ value, seq }) => {
      if (seq % SIGHT_EVERY === 0) writeSight(world, "viewers", { life, lane, facet, seq, value: fingerprint(value) });
    });
    const { reason } = await ended;
    const { value, seq = 0 } = consumer;
    if (reason === "end") {
      writeSight(world, "viewers", { life, lane, facet, seq, value: fingerprint(value), last: true });
      return;
    }
    // Nobody has worked in the lane yet.
    await sleep(100);
  }
}

function newestLife({ folder }: World): number {
  const lives = readdirSync(folder).flatMap((name) => /^(\d+)\.sock$/.exec(name)?.[1] ?? []);
  return Math.max(0, ...lives.map(Number));
}
