import { systemClock } from "../clock.js";
import type { Clock } from "../clock.js";
import type { ByteChannel } from "../link/channel.js";
import type { Environment } from "../local/environment/command-environment.js";
import { createConnection } from "./connection.js";
import type { KeepSpills } from "../local/spills/removal-choice.js";
import { createHostIdentity } from "./host-identity.js";
import type { HostIdentity } from "./host-identity.js";
import { createOwners } from "./owners.js";
import { startSpillSweeps } from "./spill-sweeps.js";

export interface ExecHostOptions {
  /** The absolute working folder of clients that name none. */
  readonly cwd: string;
  /** What commands inherit where their client brings no environment of its own; usually `process.env`. */
  readonly environment: Environment;
  /** The folder that has a folder for the spills of each owner, absolute. */
  readonly spillRoot: string;
  /** Absolute folders of which commands in sandboxes see nothing. */
  readonly hidden?: readonly string[] | undefined;
  /** How long executions go on of which no client has been there. Default one hour. */
  readonly maxUnattendedMs?: number | undefined;
  /** Most bytes that one execution may save. Default 1 GiB. */
  readonly maxSpillBytes?: number | undefined;
  /** Most bytes of all spills. Default 10 GiB. */
  readonly maxEnvSpillBytes?: number | undefined;
  /**
   * Has the host itself remove spills that are too old, or the oldest beyond `maxEnvSpillBytes`, at its start and every hour:
   * none of executions that it has, and none of those that are found to be kept each time. Without it that is left to others.
   */
  readonly sweep?: { readonly findKept: () => KeepSpills } | undefined;
  readonly clock?: Clock | undefined;
  /** Gives numbers from 0 up to 1; ids are made of them. */
  readonly random?: (() => number) | undefined;
}

export const DEFAULT_MAX_UNATTENDED_MS = 3_600_000;

/** Runs executions for clients, which come and go, and keeps what they run and its results meanwhile. */
export interface ExecHost {
  readonly identity: HostIdentity;
  /** Serves one client, whoever has the channel, until either lets go of it. Resolves then. */
  serve(channel: ByteChannel): Promise<void>;
  /** Whether anybody is connected, anything runs, or a result waits. */
  isBusy(): Promise<boolean>;
  /** Stops every execution, tells those who follow them, and lets go of every client. */
  close(): Promise<void>;
}

export function createExecHost(options: ExecHostOptions): ExecHost {
  const { clock = systemClock, random = Math.random } = options;
  const identity = createHostIdentity(random);
  const owners = createOwners({
    cwd: options.cwd,
    environment: options.environment,
    spillRoot: options.spillRoot,
    hidden: options.hidden,
    maxSpillBytes: options.maxSpillBytes,
    maxEnvSpillBytes: options.maxEnvSpillBytes,
    maxUnattendedMs: options.maxUnattendedMs ?? DEFAULT_MAX_UNATTENDED_MS,
    identity,
    clock,
    random,
  });
  const sweeps =
    options.sweep &&
    startSpillSweeps({
      ...options.sweep,
      spillRoot: options.spillRoot,
      maxBytes: options.maxEnvSpillBytes,
      list: () => owners.list(),
      clock,
    });
  const connections = new Set<{ end(): void }>();
  let closing: Promise<void> | undefined;

  return {
    identity,
    serve: (channel) =>
      new Promise((resolve) => {
        const connection = createConnection({ channel, owners, identity, clock, ended });
        connections.add(connection);
        function ended(): void {
          connections.delete(connection);
          resolve();
        }
      }),
    async isBusy() {
      return connections.size > 0 || (await owners.list()).length > 0;
    },
    close() {
      sweeps?.stop();
      closing ??= owners.close().then(() => {
        for (const connection of Array.from(connections)) connection.end();
      });
      return closing;
    },
  };
}
