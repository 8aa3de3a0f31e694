import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { placeOf } from "./machine-needs.js";

/** This machine's own sshd on a loopback port, with keys and settings in a folder that goes with it. */
export interface SshServer {
  /** Words that run shell text as this user at the other end. */
  words(text: string): readonly [program: string, ...args: string[]];
  stop(): Promise<void>;
}

/** Nothing of the machine is read or changed but the program: not its keys, its settings, or the user's known hosts. */
export async function startSshServer(): Promise<SshServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "spillway-sshd-")));
  const port = await freePort();
  writeKeysAndSettings(folder, port);
  const [program, ...args] = serverWords(folder);
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints = (complaints + text).slice(-2_000)));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`sshd has ended: ${complaints}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const settings = [
    "-F",
    "none",
    "-i",
    join(folder, "user-key"),
    "-p",
    String(port),
    "-o",
    "BatchMode=yes",
    "-o",
    "IdentitiesOnly=yes",
  ];
  const knownHosts = [
    "-o",
    `UserKnownHostsFile=${join(folder, "known-hosts")}`,
    "-o",
    "StrictHostKeyChecking=yes",
    "-o",
    "GlobalKnownHostsFile=none",
  ];
  return {
    words: (text) => [
      placeOf("ssh") ?? "ssh",
      ...settings,
      ...knownHosts,
      "-T",
      `${userInfo().username}@127.0.0.1`,
      text,
    ],
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeKeysAndSettings(folder: string, port: number): void {
  for (const name of ["host-key", "user-key"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "spillway test", "-f", join(folder, name)]);
  }
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  writeFileSync(join(folder, "authorized-keys"), read("user-key.pub"), { mode: 0o600 });
  writeFileSync(join(folder, "known-hosts"), `[127.0.0.1]:${port} ${read("host-key.pub")}`);
  mkdirSync(join(folder, "run"));
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${folder}/host-key`,
    `AuthorizedKeysFile ${folder}/authorized-keys`,
    "PidFile none",
    "UsePAM no",
    // The folder for temporary files is open to everybody.
    "StrictModes no",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin prohibit-password",
    "MaxStartups 50",
    "LogLevel ERROR",
  ];
  writeFileSync(join(folder, "settings"), `${settings.join("\n")}\n`);
}

/** For root sshd insists on a folder of the system's that may be missing; it has one in a view of the files of its own. */
function serverWords(folder: string): readonly [string, ...string[]] {
  const sshd = [placeOf("sshd") ?? "sshd", "-D", "-e", "-f", join(folder, "settings")] as const;
  if (process.getuid?.() !== 0) return sshd;
  const view = ["--dev-bind", "/", "/", "--tmpfs", "/run", "--dir", "/run/sshd", "--die-with-parent", "--"];
  return [placeOf("bwrap") ?? "bwrap", ...view, ...sshd];
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", end(true));
    socket.once("error", end(false));
  });
}
