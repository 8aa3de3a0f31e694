// One host and two replicas: one is cut off on the way and is once sent what does not fit, the other comes late. All end
// with the same value.
import { once } from "node:events";
import { WebSocketServer } from "ws";
import { openReplica } from "./replica.mjs";
import { shareState } from "./share.mjs";

const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
await once(server, "listening");
const url = `ws://127.0.0.1:${server.address().port}`;
const host = shareState({ title: "build", steps: [], log: "", isDone: false }, server);

const early = watch();
await early.saw(() => true);
for (let step = 1; step <= 6; step += 1) {
  host.state.steps.push({ name: `step ${step}`, ms: step * step });
  host.state.log += `${step} \u{1F6E0} done\n`;
  if (step > 3) host.state.log = host.state.log.slice(host.state.log.indexOf("\n") + 1);
  host.flush();
  await early.saw((value) => value.steps.length === step);
  if (step === 3) for (const socket of server.clients) socket.terminate();
  if (step === 5) for (const socket of server.clients) socket.send('[["d",["gone"]]]');
}
const late = watch();
await late.saw(() => true);
host.state.isDone = true;
host.flush();
await Promise.all([early.saw((value) => value.isDone), late.saw((value) => value.isDone)]);

const ends = { host: host.state, early: early.replica.value, late: late.replica.value };
process.stdout.write(`${JSON.stringify(ends)}\n`);
early.replica.close();
late.replica.close();
server.close();

/** A replica, and a promise for a value that it comes to hold. */
function watch() {
  const looks = new Set();
  const replica = openReplica(url, () => looks.forEach((look) => look()));
  const saw = (isIt) =>
    new Promise((resolve) => {
      const look = () => {
        if (replica.value !== undefined && isIt(replica.value) && looks.delete(look)) resolve();
      };
      looks.add(look);
      look();
    });
  return { replica, saw };
}
