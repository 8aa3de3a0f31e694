import type { ExecutionEnv, ExecutionInfo } from "../contract.js";
import { ExecError } from "../errors.js";
import {
  boolean,
  bytes,
  count,
  list,
  name,
  number,
  oneOf,
  optional,
  record,
  string,
  variables,
} from "../link/checks.js";
import type { Check } from "../link/checks.js";
import { MAX_LINK_WINDOW_BYTES, MAX_LISTED_COMMAND } from "../link/limits.js";
import { getOrThrow } from "../result.js";
import { fileRequests } from "./file-requests.js";
import { followExecution } from "./follow-execution.js";
import type { ClientLink } from "./client-links.js";
import type { FollowChannel } from "./follow-execution.js";
import type { Owner, OwnerSettings } from "./owner.js";
import type { Owners } from "./owners.js";

/** What the requests of one client do. */
export interface Requests {
  /** @throws {ExecError} */
  handle(method: string, params: unknown, channel: FollowChannel): Promise<unknown>;
  /** The client is gone, which closes nothing. */
  leave(): void;
}

/** Who the client is, once it has said so. */
interface Opened {
  readonly owner: Owner;
  readonly env: ExecutionEnv;
  readonly settings: OwnerSettings;
  readonly leave: () => void;
}

type Handler = (opened: Opened, params: unknown, channel: FollowChannel) => Promise<unknown>;

export function createRequests(owners: Owners): Requests {
  const handlers = createHandlers(owners);
  const fileWork = new Set<Promise<unknown>>();
  let opened: Opened | undefined;
  let clientName: string | undefined;
  let isRetired = false;
  const link: ClientLink = {
    async retire() {
      isRetired = true;
      await Promise.allSettled(fileWork);
    },
  };

  async function open(params: unknown): Promise<{ readonly cwd: string }> {
    const { owner: ownerName, client, ...settings } = checks.open(params, "open");
    clientName = client;
    // What an older link still does is waited for by every later one, also where this one is lost meanwhile.
    if (client !== undefined) await noted(owners.links.replace(client, link));
    if (isRetired) throw retired();
    const owner = owners.get(ownerName);
    opened?.leave();
    opened = { owner, env: owner.env(settings), settings, leave: owner.connect() };
    return { cwd: opened.env.cwd };
  }

  function noted<T>(work: Promise<T>): Promise<T> {
    fileWork.add(work);
    return work.finally(() => fileWork.delete(work));
  }

  async function leave(): Promise<void> {
    opened?.leave();
    await link.retire();
    if (clientName !== undefined) owners.links.forget(clientName, link);
  }

  return {
    async handle(method, params, channel) {
      if (isRetired) throw retired();
      if (method === "open") return open(params);
      if (opened === undefined) throw new ExecError("invalid_argument", "open comes before other requests");
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (handler === undefined) throw new ExecError("invalid_argument", `there is no request ${method.slice(0, 40)}`);
      const work = handler(opened, params, channel);
      return Object.hasOwn(fileRequests, method) ? noted(work) : work;
    },
    leave: () => void leave().catch(() => undefined),
  };
}

function retired(): ExecError {
  return new ExecError("link_lost", "this client has gone, or has come over another link since");
}

const MOST_NAMES = 10_000;
const MOST_FOLDERS = 100;

const byId = record({ executionId: name });
const beginning = record({ follows: optional(boolean) });

const checks = {
  open: record({
    owner: name,
    client: optional(name),
    cwd: optional(string),
    environment: optional(variables),
    secrets: optional(list(string, MOST_NAMES)),
    allow: optional(list(string, MOST_NAMES)),
    sandbox: optional(record({ network: optional(boolean), writable: optional(list(string, MOST_FOLDERS)) })),
  }),
  plan: record({
    command: string,
    cwd: optional(string),
    inheritEnv: optional(boolean),
    env: optional(variables),
    timeout: optional(number),
    limits: optional(
      record({
        retain: optional(oneOf("tail", "head", "both")),
        maxBytes: optional(count),
        maxLines: optional(count),
      }),
    ),
    spill: optional(boolean),
    encoding: optional(string),
    input: optional(oneOf("none", "open")),
  }),
  drop: record({ executionId: name, message: string }),
  attach: record({ executionId: name, runOnly: optional(boolean) }),
  writeInput: record({
    executionId: name,
    bytes,
    at: optional(count),
    againAt: optional(count),
    again: optional(boolean),
  }),
  list: record({ all: optional(boolean) }),
} satisfies Record<string, Check<unknown>>;

function createHandlers(owners: Owners): Readonly<Record<string, Handler>> {
  const find = async (params: unknown): Promise<{ owner: Owner; env: ExecutionEnv; executionId: string }> => {
    const { executionId } = byId(params, "params");
    const owner = await owners.find(executionId);
    return { owner, env: owner.envOf(executionId), executionId };
  };
  return {
    async plan({ owner, env }, params) {
      const { command, limits, spill, encoding, ...options } = checks.plan(params, "plan");
      checkWindow(limits?.maxBytes);
      return owner.starts.plan(env, command, { ...options, capture: { limits, spill, encoding } });
    },
    async begin(_opened, params) {
      const { owner, executionId } = await find(params);
      if (beginning(params, "begin").follows === true) owner.expect(executionId);
      return shorten(getOrThrow(await owner.starts.begin(executionId)));
    },
    async drop(_opened, params) {
      const { executionId, message } = checks.drop(params, "drop");
      const owner = await owners.find(executionId);
      owner.starts.drop(executionId, message);
    },
    async attach(_opened, params, channel) {
      const { executionId, runOnly } = checks.attach(params, "attach");
      return followExecution(await owners.find(executionId), executionId, runOnly, channel);
    },
    async collect(_opened, params) {
      const { env, executionId } = await find(params);
      await env.collect(executionId);
    },
    async writeInput(_opened, params) {
      const { env } = await find(params);
      const { executionId, bytes: input, again, ...places } = checks.writeInput(params, "writeInput");
      // Asked a second time because a link was lost: what was taken the first time is left out.
      const at = again === true ? places.againAt : places.at;
      return getOrThrow(await env.writeInput(executionId, input, { at }));
    },
    async endInput(_opened, params) {
      const { env, executionId } = await find(params);
      return getOrThrow(await env.endInput(executionId));
    },
    async kill(_opened, params) {
      const { env, executionId } = await find(params);
      return getOrThrow(await env.kill(executionId));
    },
    async list({ owner }, params) {
      const { all } = checks.list(params, "list");
      return all === true ? (await owners.list()).map(shorten) : (await owner.list()).map(shorten);
    },
    close: ({ owner }) => owner.close(),
    ...fileRequests,
  };
}

/** Else a `replace` could be more than a frame. */
function checkWindow(maxBytes: number | undefined): void {
  if (maxBytes === undefined || maxBytes <= MAX_LINK_WINDOW_BYTES) return;
  throw new ExecError(
    "invalid_argument",
    `maxBytes is ${maxBytes}; a window that crosses a link has at most ${MAX_LINK_WINDOW_BYTES} bytes`,
  );
}

function shorten<Info extends ExecutionInfo>(info: Info): Info {
  return { ...info, command: info.command.slice(0, MAX_LISTED_COMMAND) };
}
