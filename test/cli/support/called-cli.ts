import { EventEmitter } from "node:events";
import { homedir, tmpdir } from "node:os";
import { Writable } from "node:stream";
import type { CliContext } from "../../../src/cli/context.js";
import { runCli } from "../../../src/cli/program.js";
import { systemClock } from "../../../src/exec/index.js";

export interface CalledCli {
  readonly argv: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/**
 * Runs the CLI's program in this process, from its sources, on streams that are no terminal: the same but for the half
 * second of processor time that a process of its own takes.
 */
export async function callCli(called: CalledCli): Promise<{ code: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const code = await runCli({
    ...called,
    home: homedir(),
    platform: process.platform,
    temporary: tmpdir(),
    user: process.getuid?.() ?? 0,
    stdout: stdout as unknown as CliContext["stdout"],
    stderr: stderr as unknown as CliContext["stderr"],
    signals: new EventEmitter() as unknown as NodeJS.Process,
    clock: systemClock,
    random: Math.random,
    exit: (exitCode) => {
      throw new Error(`it left with ${exitCode}`);
    },
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

class Collected extends Writable {
  /** None that is open. */
  readonly fd = -1;
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
