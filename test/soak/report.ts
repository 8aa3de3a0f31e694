import type { SoakFault, SoakReport } from "./soak.js";
import type { Counts } from "./trial.js";

/** One line that says how far it is. */
export function describeProgress(counts: Readonly<Counts>, elapsedMs: number, durationMs: number): string {
  const { sessions, restarts, harnessKills, hostKills, viewerKills, checks } = counts;
  const kills = `${harnessKills} harnesses, ${hostKills} exec hosts, ${viewerKills} viewers killed`;
  return `soak: ${seconds(elapsedMs)} of ${seconds(durationMs)} s, ${sessions} sessions, ${restarts} restarts, ${kills}, ${checks} checks`;
}

export function describeReport({ seed, elapsedMs, counts, faults }: SoakReport): string {
  const lines = Object.entries(counts).map(([name, count]) => `  ${spell(name).padEnd(14)}${count}`);
  const end = faults.length === 0 ? "no rule was broken" : `rules were broken in ${faults.length} sessions`;
  return [`soak: seed ${seed}, ${seconds(elapsedMs)} s, ${end}`, ...lines, ...faults.map(describeFault)].join("\n");
}

export function describeFault({ seed, folder, violations }: SoakFault): string {
  const lines = violations.map(({ rule, claim, place }) => `  [${rule}] ${claim}\n      ${place}`);
  return [`session of seed ${seed}, kept in ${folder}`, ...lines].join("\n");
}

/** `harnessKills` as `harness kills`. */
function spell(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}
