/** Timers and pipes of an env do not keep the process alive by themselves; work that somebody waits for does. */
export function holdProcess(): () => void {
  const timer = setInterval(() => undefined, HOLD_MS);
  return () => clearInterval(timer);
}

const HOLD_MS = 60_000;
