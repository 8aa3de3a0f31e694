import { existsSync } from "node:fs";
import { findProgram } from "../../src/exec/local/environment/find-program.js";

/** Programs that some tests need and a machine may lack. */
export type MachineNeed = "bwrap" | "ssh" | "sshd";

export const isCi = process.env["CI"] === "true";

/**
 * Why tests that need these programs are skipped here, for their title; undefined where they run. That is always so where
 * `CI` is true: the programs are installed there, and tests fail where they are not.
 */
export function skipReason(...needs: readonly MachineNeed[]): string | undefined {
  const missing = needs.filter((need) => placeOf(need) === undefined);
  return isCi || missing.length === 0 ? undefined : `skipped, because ${missing.join(" and ")} is not installed`;
}

type RegisterTest = (title: string, run: () => Promise<void>) => void;

/** As vitest's `test`. */
interface Registers {
  (title: string, run: () => Promise<void>): unknown;
  readonly skip: (title: string, run: () => Promise<void>) => unknown;
}

/**
 * What registers the cases of a contract suite that needs these programs and takes its time: outside CI one case in so many is run. Each
 * of the others has the reason in its title.
 */
export function suiteTest(
  registers: Registers,
  needs: readonly MachineNeed[],
  { oneIn }: { readonly oneIn: number },
): RegisterTest {
  const lack = skipReason(...needs);
  let cases = 0;
  return (title, run) => {
    const reason = lack ?? (isCi || cases % oneIn === 0 ? undefined : "left to CI");
    cases += 1;
    if (reason === undefined) registers(title, run);
    else registers.skip(`${title} (${reason})`, run);
  };
}

/** The absolute path of such a program. */
export function placeOf(need: MachineNeed): string | undefined {
  // Not in the path of everybody.
  if (need === "sshd" && existsSync("/usr/sbin/sshd")) return "/usr/sbin/sshd";
  return findProgram(need, process.env);
}
