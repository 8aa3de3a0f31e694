/** Prints as builds do: a line for each thing done, a progress line that overwrites itself, warnings on the other pipe. */
export function createReporter(stdout, stderr) {
  return {
    line: (text) => stdout.write(`${text}\n`),
    warn: (text) => stderr.write(`${text}\n`),
    progress: (done, total, what) => stdout.write(`[${String(done).padStart(4)}/${total}] ${what}\r`),
    stage(name, work) {
      const start = performance.now();
      stdout.write(`==> ${name}\n`);
      const finish = (value) => {
        stdout.write(`<== ${name} took ${Math.round(performance.now() - start)} ms\n`);
        return value;
      };
      const value = work();
      return value instanceof Promise ? value.then(finish) : finish(value);
    },
  };
}
