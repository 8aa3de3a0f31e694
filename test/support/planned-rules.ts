/** Rules that `spec/` states and that are not built yet. The list only shrinks; a rule with a test must leave it. */
export const plannedRules: ReadonlySet<string> = new Set<string>([
  // The backend with a lease.
  "S12",
]);
