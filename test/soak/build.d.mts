import type { Programs } from "./processes.js";

export function buildPrograms(): Promise<{
  readonly folder: string;
  readonly main: string;
  readonly programs: Programs;
}>;
