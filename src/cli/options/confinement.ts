import type { CliContext } from "../context.js";
import { CliError } from "../failure.js";
import type { EnvKind, SessionEnvOptions } from "../session/session-env.js";

/** The options that say where commands run, and what they can touch. */
export interface ConfinementOptions {
  readonly inProcess?: true;
  readonly sandbox?: true;
  readonly network: boolean;
  readonly writable?: readonly string[];
}

export function toEnvKind({ inProcess }: ConfinementOptions, { environment }: CliContext): EnvKind {
  return inProcess === true || environment["SPILLWAY_IN_PROCESS"] === "1" ? "in-process" : "exec-host";
}

/** @throws {CliError} `bad_usage` */
export function toSandbox({ sandbox, network, writable }: ConfinementOptions): SessionEnvOptions["sandbox"] {
  if (sandbox === true) return { network, writable: writable ?? [] };
  if (!network) throw badUse("--no-network is a part of --sandbox; add --sandbox");
  if (writable !== undefined) throw badUse("--writable is a part of --sandbox; add --sandbox");
  return undefined;
}

function badUse(message: string): CliError {
  return new CliError("bad_usage", message);
}
