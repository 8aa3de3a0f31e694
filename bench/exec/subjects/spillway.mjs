import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encoder } from "../../dist/spillway/delta/index.js";
import {
  connectDaemon,
  connectExecHost,
  createLocalEnv,
  readHostFile,
  startDetached,
} from "../../dist/spillway/exec/index.js";
import { openHarness } from "../../dist/spillway/harness/index.js";
import { createScriptedModel } from "../../dist/spillway/models/index.js";
import { createMemoryStorage } from "../../dist/spillway/storage/index.js";
import { createBashTool } from "../../dist/spillway/tools/index.js";

/**
 * @typedef {import("./index.mjs").Subject} Subject
 * @typedef {import("../../dist/spillway/exec/index.js").ExecutionEnv} ExecutionEnv
 */

/**
 * The env in this process.
 *
 * @param {string} folder
 * @param {boolean} spill
 * @returns {Subject}
 */
export function openLocalEnv(folder, spill) {
  const env = createLocalEnv({
    cwd: folder,
    environment: process.env,
    spillFolder: join(folder, "spill"),
    home: folder,
  });
  return envSubject(env, spill, [], () => env.close());
}

/**
 * An exec host as a daemon, over its socket.
 *
 * @param {string} folder
 * @returns {Promise<Subject>}
 */
export async function openHost(folder) {
  const program = fileURLToPath(new URL("../host.mjs", import.meta.url));
  const start = () =>
    startDetached({
      words: [process.execPath, program, folder],
      environment: process.env,
      logPath: join(folder, "host.log"),
    });
  const env = await connectExecHost({ connect: connectDaemon({ root: folder, start }), cwd: folder });
  const pid = readHostFile(folder)?.pid;
  return envSubject(env, true, pid === undefined ? [] : [pid], async () => {
    await env.close();
    if (pid !== undefined) process.kill(pid, "SIGTERM");
  });
}

/**
 * @param {ExecutionEnv} env
 * @param {boolean} spill
 * @param {readonly number[]} pids
 * @param {() => Promise<void>} close
 * @returns {Subject}
 */
function envSubject(env, spill, pids, close) {
  return {
    async run(command, receive) {
      const ended = await env.exec(command, {
        capture: { spill },
        onUpdate: (update) => receive?.(JSON.stringify(update)),
      });
      if (!ended.ok) throw ended.error;
      const { truncation, spillPath } = ended.value;
      if (spillPath !== undefined) await rm(spillPath);
      return { bytes: truncation.totalBytes, lines: truncation.totalLines };
    },
    pids: () => pids,
    close,
  };
}

/**
 * The bash tool in a session, as an agent runs it; an update is a batch of ops as it is encoded for a viewer.
 *
 * @param {string} folder
 * @returns {Promise<Subject>}
 */
export async function openTool(folder) {
  const env = createLocalEnv({
    cwd: folder,
    environment: process.env,
    spillFolder: join(folder, "spill"),
    home: folder,
  });
  let session = 0;
  return {
    async run(command, receive) {
      session += 1;
      const harness = await openHarness({
        storage: await createMemoryStorage().create(`s_${session}`),
        env,
        model: createScriptedModel({
          version: 1,
          turns: [[{ type: "toolCall", name: "bash", args: { command } }], [{ type: "text", text: "done" }]],
        }),
        tools: [createBashTool()],
      });
      const lane = harness.lane();
      const encoding = encoder();
      lane.subscribe({
        open: () => undefined,
        receive(group) {
          for (const event of group) {
            if (event.type === "tool_update") receive?.(JSON.stringify(encoding.encode(event.ops)));
          }
        },
        end: () => undefined,
      });
      await (
        await lane.prompt("run it")
      ).settled;
      const counted = readTotals(lane.view());
      await harness.close();
      await rm(join(folder, "spill"), { recursive: true, force: true });
      return counted;
    },
    pids: () => [],
    close: () => env.close(),
  };
}

/** @param {unknown} view */
function readTotals(view) {
  const found = /"totalLines":(\d+),"totalBytes":(\d+)/.exec(JSON.stringify(view));
  return { lines: Number(found?.[1]), bytes: Number(found?.[2]) };
}
