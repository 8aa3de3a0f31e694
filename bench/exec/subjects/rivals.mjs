import { rm } from "node:fs/promises";
import { BACKGROUND_CONTEXT, createBashTool } from "@earendil-works/pi-agent-core";
import { NodeExecutionEnv } from "@earendil-works/pi-agent-core/node";
import { execa } from "execa";
import { countOutput } from "./bare.mjs";

/** @typedef {import("./index.mjs").Subject} Subject */

/**
 * pi-agent-core's env, with the limits of its own bash tool.
 *
 * @param {string} folder
 * @param {boolean} spill
 * @returns {Subject}
 */
export function openPiEnv(folder, spill) {
  const env = new NodeExecutionEnv({ cwd: folder });
  return {
    async run(command, receive) {
      const ended = await env.exec(
        command,
        {
          capture: { limits: { maxBytes: 51_200, maxLines: 2_000, retain: "tail" }, spill },
          onUpdate: (update) => receive?.(JSON.stringify(update)),
        },
        BACKGROUND_CONTEXT,
      );
      if (!ended.ok) throw ended.error;
      const { truncation, spillPath } = ended.value;
      if (spillPath !== undefined) await rm(spillPath);
      return { bytes: truncation.totalBytes, lines: truncation.totalLines };
    },
    pids: () => [],
    close: () => env.cleanup(BACKGROUND_CONTEXT),
  };
}

/**
 * Its bash tool; an update is what the tool gives, as JSON.
 *
 * @param {string} folder
 * @returns {Subject}
 */
export function openPiTool(folder) {
  const env = new NodeExecutionEnv({ cwd: folder });
  const tool = createBashTool();
  return {
    async run(command, receive) {
      const result = await tool.execute(
        "call",
        { command },
        (update) => receive?.(JSON.stringify(update)),
        { env },
        /** @type {any} */ (undefined),
        BACKGROUND_CONTEXT,
      );
      const { truncation, fullOutputPath } = result.details ?? {};
      if (fullOutputPath !== undefined) await rm(fullOutputPath);
      return { bytes: truncation?.totalBytes, lines: truncation?.totalLines };
    },
    pids: () => [],
    close: () => env.cleanup(BACKGROUND_CONTEXT),
  };
}

/**
 * execa, told to keep nothing, with a reader that counts: as it comes, it keeps 100 MB and then kills the command.
 *
 * @returns {Subject}
 */
export function openExeca() {
  return {
    async run(command) {
      const running = execa("bash", ["-c", command], { buffer: false, stdin: "ignore", stderr: "ignore" });
      const counted = countOutput(running.stdout);
      await running;
      return counted;
    },
    pids: () => [],
    close: async () => undefined,
  };
}
