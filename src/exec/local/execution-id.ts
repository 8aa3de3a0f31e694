const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
/** 16 characters of 36: two of a million ids meet with a chance of 1 in 10^13. */
const RANDOM_LENGTH = 16;

/** Such as `exec_k3…`, behind what the env puts first; `random` gives numbers from 0 up to 1. */
export function createExecutionId(random: () => number, prefix: string): string {
  let id = prefix;
  for (let i = 0; i < RANDOM_LENGTH; i += 1) id += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  return id;
}
