import type { Sight } from "../world.js";
import type { Check } from "./checks.js";

/** What viewers have, beside what the host had. */
export const viewerChecks: readonly Check[] = [
  {
    rule: "C2",
    claim: "a viewer's value is the host's after each message, and at the end",
    find: ({ hostSights, viewerSights }) => {
      const host = new Map(hostSights.map((sight) => [placeOf(sight), sight.value]));
      return viewerSights.flatMap((sight) => {
        const value = host.get(placeOf(sight));
        if (value === sight.value) return [];
        return [
          `${placeOf(sight)}: ${value === undefined ? "the host never was there" : "the viewer has another value"}`,
        ];
      });
    },
  },
];

function placeOf({ life, lane, facet, seq, last }: Sight): string {
  return `life ${life}, facet ${facet} of lane ${lane}, message ${seq}${last === true ? ", the last" : ""}`;
}
