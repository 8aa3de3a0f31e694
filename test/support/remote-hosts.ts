import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess } from "../../src/exec/host/fixtures/host-programs.js";
import { readHostFile } from "../../src/exec/host/host-file.js";
import { connectCommand, connectExecHost } from "../../src/exec/index.js";
import type { ExecClient } from "../../src/exec/index.js";
import { repository } from "./files.js";
import { placeOf } from "./machine-needs.js";
import { startSshServer } from "./ssh-server.js";

// The built `spillway exec-host` where it is meant to be; whoever uses this has it built before.

const SPILLWAY = [process.execPath, join(repository, "dist", "bin", "spillway.js"), "exec-host", "--stdio"];

/** Exec hosts at the other end of ssh, which keep one folder. */
export interface SshHosts {
  readonly root: string;
  /** `words` are added to the host's own. The working folder is a new one. */
  connect(words?: readonly string[], owner?: string): Promise<ExecClient>;
  stop(): Promise<void>;
}

export async function startSshHosts(): Promise<SshHosts> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "spillway-remote-")));
  const server = await startSshServer();
  return {
    root,
    connect(words = [], owner) {
      const text = [...SPILLWAY, "--root", root, ...words].map((word) => `'${word}'`).join(" ");
      return connectExecHost({
        connect: connectCommand(server.words(text)),
        cwd: mkdtempSync(join(root, "work-")),
        owner,
      });
    },
    async stop() {
      const daemon = readHostFile(root)?.pid;
      if (daemon !== undefined) await endProcess(daemon);
      await server.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Of this machine there are only programs and this repository; what is written there goes with it. */
const INSIDE = [
  ["/usr", "/bin", "/lib", "/lib64", "/etc"].flatMap((path) => ["--ro-bind-try", path, path]),
  ["/tmp", "/state", "/place"].flatMap((path) => ["--tmpfs", path]),
  [repository, process.execPath].flatMap((path) => ["--ro-bind", path, path]),
  ["--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--setenv", "TMPDIR", "/tmp", "--chdir", "/place", "--"],
].flat();

/** An exec host under bubblewrap, with a file system of its own: it works in `/place`, and keeps `/state`. */
export function connectInside(): Promise<ExecClient> {
  const connect = connectCommand([placeOf("bwrap") ?? "bwrap", ...INSIDE, ...SPILLWAY, "--root", "/state"]);
  return connectExecHost({ connect, cwd: "/place" });
}
