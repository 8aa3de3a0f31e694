import picocolors from "picocolors";

export type Colours = ReturnType<typeof picocolors.createColors>;

/** Colours for a stream: none where it is no terminal, the terminal is dumb, or NO_COLOR is set to anything. */
export function coloursFor(
  stream: { readonly isTerminal: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): Colours {
  const isUnwanted = (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
  return picocolors.createColors(stream.isTerminal && !isUnwanted);
}
