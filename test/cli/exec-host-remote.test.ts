import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getOrThrow } from "../../src/exec/index.js";
import { processesWith, uniqueSeconds, until } from "../../src/exec/local/fixtures/test-env.js";
import { createFollower } from "../../src/testing/exec/stage.js";
import { defineExecSuite } from "../../src/testing/index.js";
import { skipReason, suiteTest } from "../support/machine-needs.js";
import { connectInside, startSshHosts } from "../support/remote-hosts.js";
import type { SshHosts } from "../support/remote-hosts.js";
import { buildCli } from "./support/built-cli.js";

// The built `spillway exec-host` where it is meant to be: at the other end of ssh, and in a place with files of its own.

const dispose = (): Promise<void> => Promise.resolve();

beforeAll(buildCli, 120_000);

const lackOfSsh = skipReason("ssh", "sshd", "bwrap");

describe.skipIf(lackOfSsh !== undefined)(`through ssh ${lackOfSsh ?? ""}`, () => {
  let hosts: SshHosts;
  beforeAll(async () => {
    hosts = await startSshHosts();
  });
  afterAll(() => hosts.stop());

  describe("[X13] an exec host of its own passes the contract suite", () => {
    defineExecSuite({
      test: suiteTest(test, ["ssh", "sshd"], { oneIn: 21 }),
      assert,
      open: async () => ({ env: await hosts.connect(), dispose }),
    });
  });

  describe("[X13] the exec host that stays there passes the contract suite", () => {
    defineExecSuite({
      test: suiteTest(test, ["ssh", "sshd"], { oneIn: 21 }),
      assert,
      open: async () => ({ env: await hosts.connect(["--socket", join(hosts.root, "host.sock")]), dispose }),
    });
  });

  test("[X13] X38: an abort ends what runs at the other end, not only the way to it", async () => {
    const env = await hosts.connect();
    const seconds = uniqueSeconds();
    const stop = new AbortController();
    const follower = createFollower();
    const command = `echo up; sleep ${seconds} && touch proof`;
    const call = env.exec(command, { onUpdate: follower.onUpdate }, { signal: stop.signal });
    await follower.shows("up");

    stop.abort();

    expect(await call).toMatchObject({ error: { code: "aborted", result: { survivors: [] } } });
    expect(processesWith(seconds)).toEqual([]);
    expect(await env.files.stat("proof")).toMatchObject({ error: { code: "file_not_found" } });
    await env.close();
  });

  test("[X12] a way that is killed in mid-output loses nothing: the next one has the same run, whole", async () => {
    const env = await hosts.connect(["--socket", join(hosts.root, "host.sock")], "s_1");
    const follower = createFollower();
    const command =
      "i=0; while [ $i -lt 40 ]; do seq $((i * 1000 + 1)) $((i * 1000 + 1000)); i=$((i + 1)); sleep 0.02; done";
    const call = env.exec(command, { onUpdate: follower.onUpdate, capture: { spill: true } });
    await follower.shows("1000\n");

    for (const line of processesWith(`exec-host' '--stdio' '--root' '${hosts.root}`)) {
      if (line.includes("BatchMode")) process.kill(Number.parseInt(line, 10), "SIGKILL");
    }

    expect(getOrThrow(await call)).toMatchObject({
      exitCode: 0,
      truncation: { totalLines: 40_000, totalBytes: 228_894 },
    });
    expect(follower.text.endsWith("39999\n40000\n")).toBe(true);
    await env.close();
  });

  test("[X13] an exec host of a way's own ends with it, and what it ran too", async () => {
    const env = await hosts.connect();
    const seconds = uniqueSeconds();
    getOrThrow(await env.start(`setsid sleep ${seconds} & sleep ${seconds}`, {}));

    await env.disconnect();

    await until(() => processesWith(seconds).length === 0);
    await expect(env.list()).rejects.toMatchObject({ code: "env_closed" });
  });
});

const lackOfBwrap = skipReason("bwrap");

describe.skipIf(lackOfBwrap !== undefined)(`in a file system of its own ${lackOfBwrap ?? ""}`, () => {
  describe("[X13] an exec host in there passes the contract suite", () => {
    defineExecSuite({
      test: suiteTest(test, ["bwrap"], { oneIn: 14 }),
      assert,
      open: async () => ({ env: await connectInside(), dispose }),
    });
  });

  test("[X13] O25: spill and files lie in there and nowhere here, and are read through the env alone", async () => {
    const env = await connectInside();
    getOrThrow(await env.files.write("made", Buffer.from("inside\n")));

    const result = getOrThrow(await env.exec("seq 1 20000; test -e made", { capture: { spill: true } }));
    const spill = getOrThrow(await env.files.read(result.spillPath ?? ""));

    const bytes = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(result).toMatchObject({ exitCode: 0, spill: { bytes: bytes.length, complete: true } });
    expect(hashOf(spill.bytes)).toBe(hashOf(Buffer.from(bytes)));
    expect(result.spillPath).toMatch(/^\/state\/spill\//);
    expect([existsSync("/state/spill"), existsSync("/place/made")]).toEqual([false, false]);
    await env.close();
  });

  test("[X13] what a command sees there is that file system, not this one", async () => {
    const env = await connectInside();
    const folder = mkdtempSync(join(tmpdir(), "spillway-here-"));
    const follower = createFollower();

    getOrThrow(await env.exec(`ls -d ${folder} 2>/dev/null; ls /place /state`, { onUpdate: follower.onUpdate }));

    expect(readdirSync(folder)).toEqual([]);
    expect(follower.text).not.toContain(folder);
    rmSync(folder, { recursive: true });
    await env.close();
  });
});

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
