import { createServer } from "node:net";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { skipReason } from "../../../../test/support/machine-needs.js";
import { openTestEnv, pipesHeld } from "../fixtures/test-env.js";
import type { TestEnv } from "../fixtures/test-env.js";
import type { SandboxOptions } from "./sandbox.js";

/** What lies here is no part of any sandbox's `/tmp`, whatever folder the system has for temporary files. */
const OUTSIDE = process.env["HOME"] ?? "/var/tmp";

let outside: string;
const places: TestEnv[] = [];
beforeEach(() => {
  outside = mkdtempSync(join(OUTSIDE, ".spillway-test-"));
});
afterEach(async () => {
  for (const place of places.splice(0)) await place.close();
  rmSync(outside, { recursive: true, force: true });
});

function open(sandbox: SandboxOptions = {}): TestEnv {
  const place = openTestEnv({ sandbox });
  places.push(place);
  return place;
}

const lack = skipReason("bwrap");

describe.skipIf(lack !== undefined)(`under bubblewrap ${lack ?? ""}`, () => {
  test("[X21] commands change their working folder, folders they were given and their /tmp, and nothing else", async () => {
    writeFileSync(join(outside, "kept"), "as it was");
    mkdirSync(join(outside, "given"));
    const place = open({ writable: [join(outside, "given")] });

    const first = await place.run(
      `cat ${outside}/kept; for to in here ${outside}/given/file /tmp/file ${outside}/new ${outside}/kept /etc/new /run/new; do
      (echo changed > $to) 2>/dev/null && echo "$to"; done; rm -f ${outside}/kept 2>/dev/null || echo kept`,
    );
    const second = await place.run("cat /tmp/file; echo $TMPDIR");

    expect(first.text).toBe(`as it washere\n${outside}/given/file\n/tmp/file\nkept\n`);
    expect(readFileSync(join(outside, "kept"), "utf8")).toBe("as it was");
    expect(readFileSync(join(place.folder, "here"), "utf8")).toBe("changed\n");
    expect(readFileSync(join(outside, "given/file"), "utf8")).toBe("changed\n");
    // The same for every command of the env, and nobody else's.
    expect(second.text).toBe("changed\n/tmp\n");
    expect(existsSync("/tmp/file")).toBe(false);
    expect(first.value.containment).toBe("bwrap");
  });

  test("[X21] what is hidden is not seen, by commands or as a file, though a folder around it may be changed", async () => {
    mkdirSync(join(outside, "state"));
    writeFileSync(join(outside, "state/token"), "zz-canary");
    const place = open({ writable: [outside], hidden: [join(outside, "state")] });

    const { text } = await place.run(`ls -A ${outside}; ls -A ${outside}/state; cat ${outside}/state/token 2>&1`);

    expect(text).toMatch(/^state\ncat: .*No such file or directory\n$/);
    expect(await place.env.files.read(join(outside, "state/token"))).toMatchObject({
      error: { code: "file_not_found" },
    });
  });

  test("[X21] file operations are held as commands are, also through a link that leads out", async () => {
    writeFileSync(join(outside, "kept"), "as it was");
    const place = open();
    symlinkSync(join(outside, "kept"), join(place.folder, "link"));
    const bytes = Buffer.from("changed");
    const { files } = place.env;

    expect(await files.write("link", bytes)).toMatchObject({ error: { code: "permission_denied" } });
    expect(await files.write(join(outside, "new"), bytes)).toMatchObject({ error: { code: "permission_denied" } });
    expect(await files.remove(join(outside, "kept"))).toMatchObject({ error: { code: "permission_denied" } });
    expect(await files.write("/tmp/shared", bytes)).toMatchObject({ ok: true });
    expect((await place.run("cat /tmp/shared link")).text).toBe("changedas it was");
    expect(readFileSync(join(outside, "kept"), "utf8")).toBe("as it was");
  });

  test("[X21] the network is there unless it is taken away", async () => {
    const server = createServer((socket) => socket.end("here")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const command = `cat < /dev/tcp/127.0.0.1/${port}`;

    expect((await open().run(command)).text).toBe("here");
    const cut = await open({ network: false }).run(`${command} 2>&1`);
    server.close();

    expect(cut.value.exitCode).not.toBe(0);
    expect(cut.text).toMatch(/refused|unreachable/);
  });

  test("[X21] commands see no process of the machine, hold no capability and cannot mount", async () => {
    const { text } = await open().run(
      "ls -d /proc/[0-9]* | wc -l | tr -d ' '; grep CapEff /proc/self/status; mount -o remount,rw / 2>/dev/null || echo no",
    );

    const [processes, capabilities, mounted] = text.split("\n");
    expect(Number(processes)).toBeLessThan(12);
    expect(capabilities).toMatch(/^CapEff:\s0+$/);
    expect(mounted).toBe("no");
  });

  test("[X21] O25: a spill can be read inside, and is not changed there", async () => {
    const place = open();

    const { value } = await place.run("seq 1 30000", { capture: { spill: true } });
    const inside = await place.run(
      `tail -n 1 ${value.spillPath}; wc -c < ${value.spillPath}; rm ${value.spillPath} || echo no`,
    );

    expect(inside.text).toMatch(new RegExp(`30000\\n\\s*${value.truncation.totalBytes}\\n`));
    expect(inside.text).toContain("no\n");
    expect(await place.env.files.stat(value.spillPath ?? "")).toMatchObject({
      value: { bytes: value.truncation.totalBytes },
    });
  });

  test("[X21] without bubblewrap it says how to get it, and a folder that cannot be is refused", async () => {
    const missing = { sandbox: {}, environment: { PATH: "/nowhere" } };

    expect(() => openTestEnv(missing)).toThrow(
      expect.objectContaining({
        code: "sandbox_unavailable",
        message: expect.stringContaining("apt install bubblewrap"),
      }),
    );
    for (const sandbox of [{ writable: ["relative"] }, { writable: ["/"] }, { writable: ["/no/such/folder"] }]) {
      expect(() => openTestEnv({ sandbox })).toThrow(expect.objectContaining({ code: "invalid_argument" }));
    }
    expect(() => openTestEnv({ sandbox: {}, cwd: "/" })).toThrow("no sandbox");
  });

  test("[X21] what bubblewrap complains about is told, and nothing of it stays", async () => {
    const place = open();
    await place.run("true");
    const held = pipesHeld();

    const { error } = await place.run("true", { cwd: "/no/such/folder" });

    expect(error).toMatchObject({ code: "spawn_failed", result: undefined });
    expect(error.message).toMatch(/sandbox cannot be made: bwrap: .*\/no\/such\/folder/);
    expect(await place.env.list()).toEqual([]);
    expect(pipesHeld()).toBeLessThanOrEqual(held);
  });

  test("[X21] closing leaves nothing of the sandbox's /tmp", async () => {
    const home = mkdtempSync(join(tmpdir(), "spillway-home-"));
    const place = openTestEnv({ sandbox: {}, home });
    await place.run("echo x > /tmp/x");
    const [own = ""] = readdirSync(home);
    expect(readFileSync(join(home, own, "x"), "utf8")).toBe("x\n");

    await place.close();

    expect(readdirSync(home)).toEqual([]);
    rmSync(home, { recursive: true, force: true });
  });
});
