/** Programs as one file each, beside what they share. */
export interface Bundle {
  /** The caller's to remove. */
  readonly folder: string;
  /** The file of a program. */
  readonly program: (name: string) => string;
}

/** `input` names the sources of programs, by the name that each is to have. */
export function bundlePrograms(input: Readonly<Record<string, string>>): Promise<Bundle>;
