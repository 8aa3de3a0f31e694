import type { Programs } from "./processes.js";

/** The folder is the caller's to remove; `main` is what `npm run soak` runs. */
export function buildPrograms(): Promise<{
  readonly folder: string;
  readonly main: string;
  readonly programs: Programs;
}>;
