import { systemClock } from "../clock.js";
import type { Clock } from "../clock.js";
import type { ExecutionEnv, OwnedExecution } from "../contract.js";
import { ExecError } from "../errors.js";
import type { HostIdentity } from "../host/host-identity.js";
import type { ByteChannel } from "../link/channel.js";
import { executionInfos, inputState, killReport, ownedExecutions } from "../link/shapes.js";
import { inheritEnvironment } from "../local/environment/command-environment.js";
import type { Environment } from "../local/environment/command-environment.js";
import type { SandboxOptions } from "../local/sandbox/sandbox.js";
import { MARKER_VARIABLE } from "../local/processes/tree.js";
import { coded } from "./coded.js";
import { createExecCalls } from "./exec-calls.js";
import { openHostSession } from "./host-session.js";
import type { HostSession } from "./host-session.js";
import { createRemoteFiles } from "./remote-files.js";

export interface ExecClientOptions {
  /** Gives a new way to the host; called again whenever the last one was lost. */
  readonly connect: () => Promise<ByteChannel>;
  /**
   * Whose executions these are: 1 to 64 of a-z, 0-9, `_` and `-`, such as a session's id. A client that comes later under the
   * same name finds them. Default a name of this client alone.
   */
  readonly owner?: string | undefined;
  /** The absolute working folder on the host. Default the host's own. */
  readonly cwd?: string | undefined;
  /**
   * What commands inherit; only for a host of this same user on this same machine. What the harness itself holds is kept back
   * here, and its values are told to the host so that it keeps them out of output. Default what the host has.
   */
  readonly environment?: Environment | undefined;
  /** Names of `environment` that commands do not get, besides those that hold what is the harness's own. */
  readonly withhold?: readonly string[] | undefined;
  /** Names that are let through all the same. */
  readonly allow?: readonly string[] | undefined;
  /** Runs commands, and does what is done to files, under bubblewrap on the host. */
  readonly sandbox?: Pick<SandboxOptions, "network" | "writable"> | undefined;
  /** How long a host that was lost is looked for. Default one minute. */
  readonly giveUpMs?: number | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

export const DEFAULT_GIVE_UP_MS = 60_000;

/** The env of an exec host. Its executions outlive this process; `close` ends those of its owner. */
export interface ExecClient extends ExecutionEnv, AsyncDisposable {
  readonly owner: string;
  /** Names of the variables that commands do not get, as they were in `environment`. */
  readonly withheld: readonly string[];
  /** The host that answered last. */
  readonly host: HostIdentity;
  /** The executions of all owners. */
  listAll(): Promise<readonly OwnedExecution[]>;
  /** Lets go of the host; what runs goes on. */
  disconnect(): Promise<void>;
}

/** Resolves once the host has answered. @throws {ExecError} `link_lost`, `link_refused`, `spawn_failed` or `invalid_argument`. */
export async function connectExecHost(options: ExecClientOptions): Promise<ExecClient> {
  const { clock = systemClock, random = Math.random, environment, allow, giveUpMs = DEFAULT_GIVE_UP_MS } = options;
  const owner = options.owner ?? `client_${randomName(random)}`;
  const inherited = environment === undefined ? undefined : inheritEnvironment(environment, options);
  const opening = {
    owner,
    client: `client_${randomName(random)}`,
    cwd: options.cwd,
    allow,
    sandbox: options.sandbox,
    secrets: inherited?.secrets,
    environment: inherited && withMarker(inherited.variables, inherited.outerMarkers),
  };
  const session = await openHostSession({ connect: options.connect, opening: () => opening, giveUpMs, clock, random });
  return createClient(session, { owner, withheld: inherited?.withheld ?? [], clock });
}

interface ClientParts {
  readonly owner: string;
  readonly withheld: readonly string[];
  readonly clock: Clock;
}

function createClient(session: HostSession, { owner, withheld, clock }: ClientParts): ExecClient {
  const calls = createExecCalls(session, clock);
  let closing: Promise<void> | undefined;

  async function closeOwner(): Promise<void> {
    await calls.collected();
    // Whatever is wrong with the link, the executions end by themselves when nobody comes.
    await session.request("close", {}).catch(() => undefined);
    await calls.settled();
    session.end(new ExecError("env_closed", "the env was closed; make a new one"));
  }

  function close(): Promise<void> {
    closing ??= closeOwner();
    return closing;
  }

  async function letGo(): Promise<void> {
    await calls.collected();
    session.end(new ExecError("env_closed", "this client has let go of the exec host, where what runs goes on"));
  }

  return {
    owner,
    cwd: session.cwd,
    withheld,
    get host() {
      return session.identity;
    },
    files: createRemoteFiles(session),
    ...calls.env,
    list: async () => executionInfos(await session.request("list", {}), "the list"),
    listAll: async () => ownedExecutions(await session.request("list", { all: true }), "the list"),
    kill: (executionId) => coded(async () => killReport(await session.request("kill", { executionId }), "the report")),
    endInput: (executionId) =>
      coded(async () => inputState(await session.request("endInput", { executionId }), "the input")),
    close,
    [Symbol.asyncDispose]: close,
    disconnect() {
      closing ??= letGo();
      return closing;
    },
  };
}

/** A client that runs in an execution itself starts nothing that the outer one would not find. */
function withMarker(
  variables: Readonly<Record<string, string>>,
  outerMarkers: string | undefined,
): Readonly<Record<string, string>> {
  return outerMarkers === undefined ? variables : { ...variables, [MARKER_VARIABLE]: outerMarkers };
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

function randomName(random: () => number): string {
  return Array.from({ length: 16 }, () => ALPHABET.charAt(Math.floor(random() * ALPHABET.length))).join("");
}
