import type { EnvFiles, ExecContext, ExecutionEnv } from "../../exec/index.js";
import { checkAborted } from "../files/aborts.js";

/** The search programs that an env has, of a kind that gives what our own search gives. */
export interface Programs {
  readonly hasRipgrep: boolean;
  /** The command's name: Debian calls it fdfind. */
  readonly fd: "fd" | "fdfind" | undefined;
  /** Whether fd obeys `.gitignore` outside of repositories too, when asked to. */
  readonly isFdFree: boolean;
}

const NO_PROGRAMS: Programs = { hasRipgrep: false, fd: undefined, isFdFree: false };

/** An exit code of this and the bits below is an answer; anything else is none. */
const ANSWER = 64;
const [RIPGREP, FD, FDFIND, FREE] = [1, 2, 4, 8];

/** Each program is tried, for a name alone says nothing; fd has to tell folders by a slash. */
const PROBE = `r=${ANSWER}
printf x | rg --no-config --json --no-require-git --no-ignore-global --sort path --crlf -E none x - >/dev/null 2>&1 && r=$((r+${RIPGREP}))
for f in fd:${FD} fdfind:${FDFIND}; do
  if [ "$(\${f%:*} --glob --color never --hidden --type d --max-depth 1 -- bin /usr 2>/dev/null)" = /usr/bin/ ]; then
    r=$((r+\${f#*:}))
    \${f%:*} --no-require-git --version >/dev/null 2>&1 && r=$((r+${FREE}))
    break
  fi
done
exit $r`;

/** Knows of each env which programs it has; looks once. */
export class SearchPrograms {
  readonly #known = new WeakMap<EnvFiles, Promise<Programs>>();

  async find(env: ExecutionEnv, context: ExecContext & { readonly signal: AbortSignal }): Promise<Programs> {
    const known = this.#known.get(env.files);
    if (known !== undefined) return known;
    const probed = await probe(env, context);
    checkAborted(context.signal);
    if (probed !== undefined) this.#known.set(env.files, Promise.resolve(probed));
    return probed ?? NO_PROGRAMS;
  }
}

async function probe(env: ExecutionEnv, context: ExecContext): Promise<Programs | undefined> {
  const ended = await env.exec(PROBE, { cwd: "/" }, context);
  const exitCode = ended.ok ? ended.value.exitCode : null;
  if (exitCode === null || exitCode < ANSWER || exitCode >= 2 * ANSWER) return undefined;
  const has = (bit: number | undefined): boolean => (exitCode & (bit ?? 0)) !== 0;
  return {
    hasRipgrep: has(RIPGREP),
    fd: has(FD) ? "fd" : has(FDFIND) ? "fdfind" : undefined,
    isFdFree: has(FREE),
  };
}
