import type { ExecutionEnv, ExecutionInfo } from "../contract.js";
import { ExecError } from "../errors.js";
import { createLocalEnv } from "../local/local-env.js";
import type { SandboxOptions } from "../local/sandbox/sandbox.js";
import { createAttendance } from "./attendance.js";
import { idPrefixOf } from "./host-identity.js";
import type { OwnersOptions } from "./owners.js";
import { createStarts } from "./starts.js";
import type { Starts } from "./starts.js";

export interface OwnerOptions extends OwnersOptions {
  readonly spillFolder: string;
}

/** What a client brings along for the commands that it starts. */
export interface OwnerSettings {
  readonly cwd?: string;
  /** Already without what its harness itself holds. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly allow?: readonly string[];
  /** Runs its commands under bubblewrap. */
  readonly sandbox?: Pick<SandboxOptions, "network" | "writable">;
}

/** One name, its executions, and who is there for them. */
export interface Owner {
  /** The env for these settings; those that began with others go on in theirs. */
  env(settings: OwnerSettings): ExecutionEnv;
  /** Executions whose plan was told and that were not begun yet, or were. */
  readonly starts: Starts;
  has(executionId: string): boolean;
  /** The env that has the execution. */
  envOf(executionId: string): ExecutionEnv;
  list(): Promise<readonly ExecutionInfo[]>;
  /** Somebody is there for all executions of the owner until the function it gives is called. */
  connect(): () => void;
  /** Somebody is about to follow one of them. */
  expect(executionId: string): void;
  /** Somebody follows one of them, of whatever owner. */
  follow(executionId: string): () => void;
  /** Why the host stopped an execution, if it did. */
  abandonmentOf(executionId: string): string | undefined;
  readonly isClosed: boolean;
  close(): Promise<void>;
}

/** Executions that are remembered before those are looked for that are over. */
const MAX_KNOWN = 512;

export function createOwner(options: OwnerOptions, onGone: () => void): Owner {
  const envs = new Map<string, ExecutionEnv>();
  const known = new Map<string, ExecutionEnv>();
  const abandoned = new Map<string, string>();
  const attendance = createAttendance(
    options,
    () => void leaveIfEmpty().catch(ignore),
    () => void abandonAll().catch(ignore),
  );
  const starts = createStarts(options.clock, remember);
  let closing: Promise<void> | undefined;

  function remember(executionId: string, env: ExecutionEnv): void {
    known.set(executionId, env);
    if (known.size > MAX_KNOWN) list().catch(ignore);
  }

  function abandon(executionId: string, why: string): void {
    if (abandoned.has(executionId)) return;
    abandoned.set(executionId, why);
    known.get(executionId)?.kill(executionId).catch(ignore);
  }

  async function abandonAll(): Promise<void> {
    const why = `because no client had been there for ${Math.round(options.maxUnattendedMs / 1_000)} s`;
    for (const { executionId, state } of await list()) {
      if (attendance.isEmpty && state !== "ended") abandon(executionId, why);
    }
    await leaveIfEmpty();
  }

  async function leaveIfEmpty(): Promise<void> {
    if ((await list()).length === 0 && starts.count === 0 && attendance.isEmpty) await close();
  }

  async function list(): Promise<readonly ExecutionInfo[]> {
    // One that is begun meanwhile is in no list that was made before.
    const before = new Set([...known.keys()].filter((executionId) => !starts.has(executionId)));
    const infos = (await Promise.all([...envs.values()].map((env) => env.list()))).flat();
    for (const { executionId } of infos) before.delete(executionId);
    for (const executionId of before) {
      known.delete(executionId);
      abandoned.delete(executionId);
    }
    return infos;
  }

  function env(settings: OwnerSettings): ExecutionEnv {
    const key = JSON.stringify(settings);
    const found = envs.get(key) ?? openEnv(settings, options, onSpillFull);
    envs.set(key, found);
    return found;
  }

  function close(): Promise<void> {
    attendance.stop();
    closing ??= Promise.all([...envs.values()].map((env) => env.close())).then(onGone);
    return closing;
  }

  return {
    env,
    starts,
    has: (executionId) => known.has(executionId),
    envOf: (executionId) => known.get(executionId) ?? refuseUnknown(executionId),
    list,
    ...attendance,
    abandonmentOf: (executionId) => abandoned.get(executionId),
    get isClosed() {
      return closing !== undefined;
    },
    close,
  };

  function onSpillFull(executionId: string): void {
    if (!attendance.isFollowed(executionId)) abandon(executionId, "because its quota was full and nobody was attached");
  }
}

function openEnv(
  settings: OwnerSettings,
  options: OwnerOptions,
  onSpillFull: (executionId: string) => void,
): ExecutionEnv {
  return createLocalEnv({
    cwd: settings.cwd ?? options.cwd,
    environment: settings.environment ?? options.environment,
    secrets: settings.secrets,
    allow: settings.allow,
    // What the host says of itself would let a command have others run outside.
    sandbox: settings.sandbox && { ...settings.sandbox, hidden: options.hidden },
    spillFolder: options.spillFolder,
    spillRoot: options.spillRoot,
    maxSpillBytes: options.maxSpillBytes,
    maxEnvSpillBytes: options.maxEnvSpillBytes,
    idPrefix: idPrefixOf(options.identity),
    onSpillFull,
    clock: options.clock,
    random: options.random,
  });
}

function refuseUnknown(executionId: string): never {
  throw new ExecError("execution_unknown", `no execution is known as ${executionId}; see list()`);
}

function ignore(): void {
  // The next time of the same kind finds it again.
}
