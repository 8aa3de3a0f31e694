import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endProcess } from "../../src/exec/host/fixtures/host-programs.js";
import { readHostFile } from "../../src/exec/host/host-file.js";
import { connectCommand, connectExecHost, getOrThrow } from "../../src/exec/index.js";
import type { ExecClient } from "../../src/exec/index.js";
import { processesWith, uniqueSeconds, until } from "../../src/exec/local/fixtures/test-env.js";
import { createFollower } from "../../src/testing/exec/stage.js";
import { defineExecSuite } from "../../src/testing/index.js";
import { skipReason, suiteTest, placeOf } from "../support/machine-needs.js";
import { repository } from "../support/files.js";
import { startSshServer } from "../support/ssh-server.js";
import type { SshServer } from "../support/ssh-server.js";
import { buildCli } from "./support/built-cli.js";

// The built `spillway exec-host` where it is meant to be: at the other end of ssh, and in a place with files of its own.

const SPILLWAY = [process.execPath, join(repository, "dist", "bin", "spillway.js"), "exec-host", "--stdio"];
const dispose = (): Promise<void> => Promise.resolve();

beforeAll(buildCli, 120_000);

const lackOfSsh = skipReason("ssh", "sshd", "bwrap");

describe.skipIf(lackOfSsh !== undefined)(`through ssh ${lackOfSsh ?? ""}`, () => {
  let root: string;
  let server: SshServer;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "spillway-remote-")));
    server = await startSshServer();
  });
  afterAll(async () => {
    const daemon = readHostFile(root)?.pid;
    if (daemon !== undefined) await endProcess(daemon);
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  });

  function connectOver(words: readonly string[], owner?: string): Promise<ExecClient> {
    const text = [...SPILLWAY, "--root", root, ...words].map((word) => `'${word}'`).join(" ");
    return connectExecHost({
      connect: connectCommand(server.words(text)),
      cwd: mkdtempSync(join(root, "work-")),
      owner,
    });
  }

  describe("[X13] an exec host of its own passes the contract suite", () => {
    defineExecSuite({
      test: suiteTest(test, ["ssh", "sshd"], { oneIn: 21 }),
      assert,
      open: async () => ({ env: await connectOver([]), dispose }),
    });
  });

  describe("[X13] the exec host that stays there passes the contract suite", () => {
    defineExecSuite({
      test: suiteTest(test, ["ssh", "sshd"], { oneIn: 21 }),
      assert,
      open: async () => ({ env: await connectOver(["--socket", join(root, "host.sock")]), dispose }),
    });
  });

  test("[X13] X38: an abort ends what runs at the other end, not only the way to it", async () => {
    const env = await connectOver([]);
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
    const words = ["--socket", join(root, "host.sock")];
    const env = await connectOver(words, "s_1");
    const follower = createFollower();
    const command =
      "i=0; while [ $i -lt 40 ]; do seq $((i * 1000 + 1)) $((i * 1000 + 1000)); i=$((i + 1)); sleep 0.02; done";
    const call = env.exec(command, { onUpdate: follower.onUpdate, capture: { spill: true } });
    await follower.shows("1000\n");

    for (const line of processesWith(`exec-host' '--stdio' '--root' '${root}`)) {
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
    const env = await connectOver([]);
    const seconds = uniqueSeconds();
    getOrThrow(await env.start(`setsid sleep ${seconds} & sleep ${seconds}`, {}));

    await env.disconnect();

    await until(() => processesWith(seconds).length === 0);
    await expect(env.list()).rejects.toMatchObject({ code: "env_closed" });
  });
});

const lackOfBwrap = skipReason("bwrap");

describe.skipIf(lackOfBwrap !== undefined)(`in a file system of its own ${lackOfBwrap ?? ""}`, () => {
  const programs = ["/usr", "/bin", "/lib", "/lib64", "/etc"].flatMap((path) => ["--ro-bind-try", path, path]);
  const shared = [repository, process.execPath].flatMap((path) => ["--ro-bind", path, path]);
  const own = ["--tmpfs", "/tmp", "--tmpfs", "/state", "--tmpfs", "/work", "--dev", "/dev", "--proc", "/proc"];
  const words = [
    ...programs,
    ...own,
    ...shared,
    "--unshare-pid",
    "--setenv",
    "TMPDIR",
    "/tmp",
    "--chdir",
    "/work",
    "--",
  ];

  function connectInside(): Promise<ExecClient> {
    const connect = connectCommand([placeOf("bwrap") ?? "bwrap", ...words, ...SPILLWAY, "--root", "/state"]);
    return connectExecHost({ connect, cwd: "/work" });
  }

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
    expect([existsSync("/state/spill"), existsSync("/work/made")]).toEqual([false, false]);
    await env.close();
  });

  test("[X13] what a command sees there is that file system, not this one", async () => {
    const env = await connectInside();
    const folder = mkdtempSync(join(tmpdir(), "spillway-here-"));
    const follower = createFollower();

    getOrThrow(await env.exec(`ls -d ${folder} 2>/dev/null; ls /work /state`, { onUpdate: follower.onUpdate }));

    expect(readdirSync(folder)).toEqual([]);
    expect(follower.text).not.toContain(folder);
    rmSync(folder, { recursive: true });
    await env.close();
  });
});

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
