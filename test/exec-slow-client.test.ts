import { PassThrough, Writable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import { getOrThrow } from "../src/exec/index.js";
import type { ByteChannel } from "../src/exec/link/channel.js";
import { createFollower } from "../src/testing/exec/stage.js";
import { createFastClock, openLocalHost } from "./support/exec-links.js";
import type { LocalHost } from "./support/exec-links.js";

const hosts: LocalHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

/** Streams between a host and a client, of which those to the client can be held up. */
function createGate(): {
  readonly host: ByteChannel;
  readonly client: ByteChannel;
  hold(): void;
  open(): void;
  readonly heldBytes: number;
} {
  const toHost = new PassThrough();
  const toClient = new PassThrough({ highWaterMark: 64 * 1_024 * 1_024 });
  const held: { readonly bytes: Buffer; readonly taken: () => void }[] = [];
  let isHeld = false;
  const fromHost = new Writable({
    write(bytes: Buffer, _encoding, taken) {
      if (isHeld) held.push({ bytes, taken });
      else toClient.write(bytes, () => taken());
    },
  });
  const close = (): void => {
    for (const stream of [toHost, toClient, fromHost]) stream.destroy();
  };
  return {
    host: { readable: toHost, writable: fromHost, close },
    client: { readable: toClient, writable: toHost, close },
    hold: () => void (isHeld = true),
    open() {
      isHeld = false;
      for (const { bytes, taken } of held.splice(0)) toClient.write(bytes, () => taken());
    },
    get heldBytes() {
      return fromHost.writableLength;
    },
  };
}

test("[X13] a client that does not drain costs at most the window, and is owed a replace", async () => {
  const host = await openLocalHost({ clock: createFastClock(20) });
  hosts.push(host);
  const gate = createGate();
  void host.host.serve(gate.host);
  // It goes on saying that it is there, and never thinks that it has waited for long.
  const clock = { ...createFastClock(20), monotonic: () => 0 };
  const env = await connectExecHost({ connect: () => Promise.resolve(gate.client), clock });
  const watcher = await connectExecHost({ connect: host.connect });
  const follower = createFollower();
  const command = "i=0; while [ $i -lt 60 ]; do seq 1 20000; i=$((i+1)); sleep 0.02; done; echo last";
  const { executionId } = getOrThrow(await env.start(command, {}));
  const call = env.attach(executionId, { onUpdate: follower.onUpdate, keep: true });
  await follower.shows("20000\n");

  gate.hold();
  const told = follower.kinds.length;
  const watched = getOrThrow(await watcher.attach(executionId, { keep: true }));
  const { heldBytes } = gate;
  gate.open();
  const result = getOrThrow(await call);

  expect(heldBytes).toBeGreaterThan(100_000);
  expect(heldBytes).toBeLessThan(262_144 + 120_000);
  expect(result).toEqual(watched);
  expect(follower.view?.truncation).toEqual(result.truncation);
  expect(follower.text.endsWith("20000\nlast\n")).toBe(true);
  expect(follower.kinds.slice(told)).toContain("replace");
  await watcher.disconnect();
});
