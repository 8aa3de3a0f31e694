import { spawn } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const KEPT_OUTPUT = 16_384;

/** Runs one step to its end with its output kept back, of which only the end matters and only when it fails. */
export function runStep(command, args, { root, lock, progress, title }) {
  const finish = progress.begin(title);
  return new Promise((resolve) => {
    let output = "";
    const keep = (data) => (output = (output + data).slice(-KEPT_OUTPUT));
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe", lock.fd] });
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const stopForwarding = forwardSignals(child);
    const end = (ok, ending) => {
      stopForwarding();
      finish(ok);
      resolve({ ok, ending, output });
    };
    child.on("error", (error) => end(false, error.message));
    child.on("close", (code, signal) => end(code === 0, signal ?? `exit code ${code}`));
  });
}

/** A signal ends the step first and then this process by the same signal, so that nothing works on unseen. */
function forwardSignals(child) {
  const forward = (signal) => {
    child.kill(signal);
    child.once("close", () => {
      stop();
      process.kill(process.pid, signal);
    });
  };
  const stop = () => SIGNALS.forEach((signal) => process.off(signal, forward));
  SIGNALS.forEach((signal) => process.on(signal, forward));
  return stop;
}
