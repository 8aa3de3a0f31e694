import type { Command } from "commander";
import type { CliContext } from "../context.js";

/** What the definition of a command is given. */
export interface CommandSetup {
  readonly context: CliContext;
  /** What stood after `--`; undefined where there was none. */
  readonly words: readonly string[] | undefined;
  /** States the exit code of a command that did what it was asked for. */
  readonly finish: (exitCode: number) => void;
}

/** One command of the program, with its options, its help and what it does. */
export type CommandDefinition = (setup: CommandSetup) => Command;
