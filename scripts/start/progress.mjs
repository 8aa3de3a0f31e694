const TICK_MS = 1000;

/** Says what is being done: one line that counts seconds on a terminal, a line at the start and the end elsewhere. */
export function createProgress(stream) {
  return {
    say: (text) => stream.write(`spillway: ${text}\n`),
    begin(title) {
      const start = performance.now();
      const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
      const write = (text) => stream.write(stream.isTTY ? `\r\x1b[Kspillway: ${text}` : `spillway: ${text}\n`);
      write(`${title} …`);
      const timer = setInterval(
        () => stream.isTTY && write(`${title} … ${Math.round((performance.now() - start) / 1000)} s`),
        TICK_MS,
      );
      return (ok) => {
        clearInterval(timer);
        write(`${title}: ${ok ? "done" : "failed"} after ${seconds()}`);
        if (stream.isTTY) stream.write("\n");
      };
    },
  };
}
