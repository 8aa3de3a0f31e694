import { afterEach, expect, test } from "vitest";
import { connectExecHost, getOrThrow } from "../src/exec/index.js";
import { openLocalHost } from "./support/exec-links.js";
import type { LocalHost } from "./support/exec-links.js";

let local: LocalHost | undefined;
afterEach(() => local?.close());

test("[X12] a command that is begun while a list is being made is known all the same", async () => {
  local = await openLocalHost();
  const client = await connectExecHost({ connect: local.connect, owner: "s_1" });
  // Listing looks up the processes of what runs, which takes time.
  getOrThrow(await client.start("sleep 60", {}));
  const lists: Promise<unknown>[] = [];

  for (let round = 0; round < 5; round += 1) {
    const result = await client.exec(
      `echo ${round}`,
      {},
      { prepared: () => void lists.push(client.list(), client.list()) },
    );
    expect(result, `round ${round}`).toMatchObject({ ok: true, value: { exitCode: 0 } });
  }

  await Promise.all(lists);
  await client.close();
});
