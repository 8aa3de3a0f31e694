import type { EnvFiles, ExecutionEnv, ExecContext } from "../../exec/index.js";
import { getOrThrow } from "../../exec/index.js";
import { checkAborted } from "../files/aborts.js";
import { LineCutter } from "../files/file-lines.js";
import { readPieces } from "../files/file-pieces.js";

/** Bytes of a program's output that are used, and of one line of it. */
export const MAX_OUTPUT_BYTES = 268_435_456;
const MAX_LINE_BYTES = 16_777_216;

/** A program to run in an env: its words, and where. */
export interface ProgramRun {
  readonly words: readonly string[];
  readonly cwd: string;
  /** Lines of output that are enough. */
  readonly maxLines: number;
  /** Whether lines end with NUL instead of newline. */
  readonly isNulSeparated?: boolean | undefined;
}

/** What a program printed, kept in a file of the env. */
export interface ProgramOutput {
  /**
   * Standard output, line by line, as bytes; then what it said on standard error, each line with a mark before it. Of a line
   * that is too long to be held `onLongLine` is told instead.
   */
  lines(signal: AbortSignal, onLongLine?: () => void): AsyncGenerator<Uint8Array, void>;
  /** Removes the file. */
  dispose(): Promise<void>;
}

/** What every line of standard error begins with, and no line of standard output. */
export const ERROR_MARK = 0x01;

/** Neither program is to know what this user's own settings are: a search gives the same wherever it runs. */
const NEUTRAL = { HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent", RIPGREP_CONFIG_PATH: "", LC_ALL: "C" };

/**
 * Runs a program and gives all that it printed. Updates are bounded and keep the latest, so the text is taken from the
 * execution's spill. `undefined` where the env can save none, or not all of it.
 */
export async function runProgram(
  env: ExecutionEnv,
  run: ProgramRun,
  context: ExecContext & { readonly signal: AbortSignal },
): Promise<ProgramOutput | undefined> {
  const ended = await env.exec(
    makeScript(run),
    { cwd: run.cwd, env: NEUTRAL, capture: { limits: { maxBytes: 4, maxLines: 1 }, spill: true } },
    context,
  );
  checkAborted(context.signal);
  if (!ended.ok && (ended.error.code === "link_lost" || ended.error.code === "env_closed")) getOrThrow(ended);
  const result = ended.ok ? ended.value : ended.error.result;
  if (result?.spillPath === undefined) return undefined;
  const output = new SpilledOutput(env.files, result.spillPath);
  if (ended.ok && result.spill?.complete !== false) return output;
  await output.dispose();
  return undefined;
}

/**
 * The program's output, cut where it is enough; behind it, when it has ended, what it said on standard error, so that the
 * two never mix. The last line is always there: it makes the output long enough to be saved.
 */
function makeScript({ words, maxLines, isNulSeparated = false }: ProgramRun): string {
  const program = words.map(quoteWord).join(" ");
  const swap = isNulSeparated ? " | tr '\\n\\0' '\\0\\n'" : "";
  return (
    `{ errors=$( { { ${program} 2>&4 | head -c ${MAX_OUTPUT_BYTES}${swap} | head -n ${maxLines} >&3; } 4>&1; } ` +
    `| { head -c 65536; cat >/dev/null; } ); } 3>&1\n` +
    `printf '\\n%s\\n' "$errors" | sed 's/^/\\x01/'\necho end-of-output`
  );
}

function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

class SpilledOutput implements ProgramOutput {
  readonly #files: EnvFiles;
  readonly #path: string;

  constructor(files: EnvFiles, path: string) {
    this.#files = files;
    this.#path = path;
  }

  async *lines(signal: AbortSignal, onLongLine?: () => void): AsyncGenerator<Uint8Array, void> {
    const cutter = new LineCutter(MAX_LINE_BYTES);
    const lines: Uint8Array[] = [];
    for await (const { bytes } of readPieces(this.#files, this.#path, signal)) {
      cutter.cut(bytes, ({ start, bytes }) => {
        if (start.length < bytes) onLongLine?.();
        else if (bytes > 0) lines.push(start);
        return true;
      });
      yield* lines.splice(0);
    }
  }

  async dispose(): Promise<void> {
    await this.#files.remove(this.#path);
  }
}
