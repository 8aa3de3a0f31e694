import { MARKER_VARIABLE } from "./tree.js";

/** The markers in an environment that is given as `NAME=value` lines. */
export function markersIn(variables: Iterable<string>): readonly string[] {
  for (const variable of variables) {
    if (variable.startsWith(`${MARKER_VARIABLE}=`)) return variable.slice(MARKER_VARIABLE.length + 1).split(":");
  }
  return [];
}

/** The value that adds a marker to those which are there already. */
export function addMarker(outer: string | undefined, marker: string): string {
  return outer === undefined || outer === "" ? marker : `${outer}:${marker}`;
}
