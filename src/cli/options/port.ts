const MAX_PORT = 65_535;

/** @throws {RangeError} whose message says what is accepted. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= MAX_PORT) return port;
  throw new RangeError(`"${text}" is no port; use a number from 1 to ${MAX_PORT}`);
}
