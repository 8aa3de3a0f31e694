import { connectCommand } from "../../client/connect-command.js";
import { connectExecHost } from "../../client/exec-client.js";
import type { ExecClient } from "../../client/exec-client.js";
import type { Clock } from "../../clock.js";
import { ExecError } from "../../errors.js";
import type { EnvFiles } from "../../files.js";
import { failed } from "../../result.js";
import type { Result } from "../../result.js";
import { layerProgram, packageFolder } from "../layer-program.js";
import type { Sandbox } from "./sandbox.js";

/** The files as the commands of a sandbox see them. */
export interface SandboxFiles {
  readonly files: EnvFiles;
  close(): Promise<void>;
}

/**
 * A process inside does the work, started at the first request: so the kernel says what can be seen and changed, also where
 * a command replaces a folder by a link to elsewhere at that very moment.
 */
export function createSandboxFiles(sandbox: Sandbox, cwd: string, clock: Clock): SandboxFiles {
  let client: Promise<ExecClient> | undefined;

  function connect(): Promise<ExecClient> {
    const program = layerProgram("sandbox-files-host", import.meta.url);
    const [bwrap, ...words] = sandbox.words(cwd, [packageFolder(import.meta.url), process.execPath]);
    const reach = connectCommand([bwrap, ...words, ...program, cwd], { cwd: "/", env: {} });
    return connectExecHost({ connect: reach, cwd, clock });
  }

  async function ask<T>(work: (files: EnvFiles) => Promise<Result<T, ExecError>>): Promise<Result<T, ExecError>> {
    client ??= connect();
    try {
      return await work((await client).files);
    } catch (cause) {
      client = undefined;
      if (cause instanceof ExecError) return failed(cause);
      return failed(
        new ExecError("file_failed", `the files of the sandbox cannot be reached: ${String(cause)}`, { cause }),
      );
    }
  }

  return {
    files: {
      stat: (path) => ask((files) => files.stat(path)),
      read: (path, options) => ask((files) => files.read(path, options)),
      write: (path, bytes, options) => ask((files) => files.write(path, bytes, options)),
      list: (path) => ask((files) => files.list(path)),
      makeFolder: (path) => ask((files) => files.makeFolder(path)),
      rename: (from, to) => ask((files) => files.rename(from, to)),
      remove: (path, options) => ask((files) => files.remove(path, options)),
    },
    async close() {
      const open = await client?.catch(() => undefined);
      await open?.disconnect();
    },
  };
}
