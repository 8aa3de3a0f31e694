import { resolve } from "node:path";
import type { StartOptions } from "../contract.js";
import { ExecError } from "../errors.js";
import type { ShellOutputLimits } from "../output/view.js";

/** What a caller asked for, checked and completed. */
export interface StartRequest {
  readonly command: string;
  readonly cwd: string;
  readonly inheritEnv: boolean;
  readonly env: Readonly<Record<string, string>> | undefined;
  /** Seconds. */
  readonly timeout: number | undefined;
  readonly limits: ShellOutputLimits | undefined;
  readonly spill: boolean;
  readonly encoding: string | undefined;
  readonly input: "none" | "open";
}

/** What a timer of the system can count: 24 days. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** @throws {ExecError} `invalid_argument` that names the argument and what it may be. */
export function checkStart(command: string, options: StartOptions, cwd: string): StartRequest {
  if (command.includes("\0")) throw invalid("command holds a NUL character; remove it, no shell can take it");
  if (command.trim() === "") throw invalid("command is empty; give shell text");
  const { timeout, env, input = "none" } = options;
  if (input !== "none" && input !== "open") throw invalid(`input is none or open, not ${JSON.stringify(input)}`);
  if (timeout !== undefined && !(timeout > 0 && timeout <= MAX_TIMEOUT_SECONDS)) {
    throw invalid(
      `timeout is ${timeout}; give seconds, more than 0 and at most ${MAX_TIMEOUT_SECONDS}, or leave it out`,
    );
  }
  if (options.cwd?.includes("\0") === true) throw invalid("cwd holds a NUL character");
  for (const [name, value] of Object.entries(env ?? {})) {
    if (!/^[^=\0]+$/.test(name))
      throw invalid(`env has a variable named ${JSON.stringify(name)}; names hold no = and no NUL`);
    if (value.includes("\0")) throw invalid(`the value of the variable ${name} holds a NUL character`);
  }
  return {
    command,
    cwd: resolve(cwd, options.cwd ?? "."),
    inheritEnv: options.inheritEnv ?? true,
    env,
    timeout,
    limits: options.capture?.limits,
    spill: options.capture?.spill ?? false,
    encoding: options.capture?.encoding,
    input,
  };
}

function invalid(message: string): ExecError {
  return new ExecError("invalid_argument", message);
}
