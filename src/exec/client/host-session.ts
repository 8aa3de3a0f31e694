import type { Clock } from "../clock.js";
import { ExecError } from "../errors.js";
import type { HostIdentity } from "../host/host-identity.js";
import type { ByteChannel } from "../link/channel.js";
import { holdProcess } from "../local/hold-process.js";
import { openLink } from "./open-link.js";
import type { OpenLink } from "./open-link.js";

export interface HostSessionOptions {
  /** Gives a new way to the host; called again whenever the last one was lost. */
  readonly connect: () => Promise<ByteChannel>;
  /** What is asked of the host on each new link before everything else. */
  readonly opening: () => unknown;
  /** How long a lost host is looked for before those who wait are told. */
  readonly giveUpMs: number;
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
}

/** Requests to one exec host over links that come and go. What was not answered on one is asked again on the next. */
export interface HostSession {
  readonly identity: HostIdentity;
  /** The working folder of requests that name none. */
  readonly cwd: string;
  /** Whether there is a link now. */
  readonly isConnected: boolean;
  /** Gives the answer. @throws {ExecError} of the host, or `link_lost` when no link could be had for too long. */
  request(method: string, params: object, options?: RequestOptions): Promise<unknown>;
  /** Lets go of the host. Requests that have no answer fail with this. */
  end(reason: ExecError): void;
}

export interface RequestOptions {
  /** Is given what the request follows; what it throws is what the request ends with. */
  readonly onUpdate?: ((update: unknown) => void) | undefined;
  /** Ends what the request follows. */
  readonly signal?: AbortSignal | undefined;
}

/** Requests of the session that wait for the host at a time: fewer than a host takes from a link. */
const MAX_ASKED = 48;
const FIRST_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;

interface PendingRequest {
  readonly id: number;
  readonly method: string;
  readonly params: object;
  readonly onUpdate: ((update: unknown) => void) | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: ExecError) => void;
  wasSent: boolean;
  isAsked: boolean;
}

/** Resolves with the first link. @throws {ExecError} `link_lost` or `link_refused` where there is none. */
export async function openHostSession(options: HostSessionOptions): Promise<HostSession> {
  const session = new LinkedSession(options);
  await session.start();
  return session;
}

class LinkedSession implements HostSession {
  readonly #options: HostSessionOptions;
  readonly #pending = new Map<number, PendingRequest>();
  #nextId = 1;
  #link: OpenLink | undefined;
  #opened: Pick<OpenLink, "identity" | "cwd"> | undefined;
  #ended: ExecError | undefined;
  #isLooking = false;
  #release: (() => void) | undefined;

  constructor(options: HostSessionOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const release = holdProcess();
    try {
      for (let attempt = 1; ; attempt += 1) {
        // A host that ends just now leaves its place to another.
        const error = await this.#connectOnce().then(() => undefined, asExecError);
        if (error === undefined) return;
        if (attempt === FIRST_ATTEMPTS || error.code !== "link_lost") throw error;
        await new Promise<void>((resolve) => this.#options.clock.after(FIRST_PAUSE_MS, resolve));
      }
    } finally {
      release();
    }
  }

  get identity(): HostIdentity {
    return this.#host.identity;
  }

  get cwd(): string {
    return this.#host.cwd;
  }

  get #host(): Pick<OpenLink, "identity" | "cwd"> {
    if (this.#opened === undefined) throw new Error("a session has a host once it was started");
    return this.#opened;
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  request(method: string, params: object, { onUpdate, signal }: RequestOptions = {}): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const id = this.#nextId;
      this.#nextId += 1;
      const cancel = (): void => {
        this.#link?.send({ type: "cancel", id });
        this.#settle(id)?.reject(new ExecError("aborted", "detached from the execution, which goes on"));
      };
      signal?.addEventListener("abort", cancel, { once: true });
      const free = (): void => signal?.removeEventListener("abort", cancel);
      this.#pending.set(id, {
        id,
        method,
        params,
        onUpdate,
        wasSent: false,
        isAsked: false,
        resolve(value) {
          free();
          resolve(value);
        },
        reject(error) {
          free();
          reject(error);
        },
      });
      this.#release ??= holdProcess();
      if (signal?.aborted === true) cancel();
      if (this.#link === undefined) this.#reconnect();
      else this.#ask();
    });
  }

  end(reason: ExecError): void {
    this.#ended ??= reason;
    this.#failAll(reason);
    this.#link?.end(reason);
  }

  /** Sends what was not sent yet, as far as the host takes more. */
  #ask(): void {
    let asked = [...this.#pending.values()].filter(({ isAsked, onUpdate }) => isAsked && onUpdate === undefined).length;
    for (const request of Array.from(this.#pending.values())) {
      if (request.isAsked || (request.onUpdate === undefined && asked >= MAX_ASKED)) continue;
      const { id, method, params, wasSent } = request;
      request.isAsked = true;
      request.wasSent = true;
      if (request.onUpdate === undefined) asked += 1;
      try {
        this.#link?.send({ type: "request", id, method, params: wasSent ? { ...params, again: true } : params });
      } catch (error) {
        this.#settle(id)?.reject(asExecError(error));
      }
    }
  }

  #settle(id: number): PendingRequest | undefined {
    const request = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) {
      this.#release?.();
      this.#release = undefined;
    }
    return request;
  }

  #failAll(reason: ExecError): void {
    for (const id of Array.from(this.#pending.keys())) this.#settle(id)?.reject(reason);
  }

  async #connectOnce(): Promise<void> {
    const { connect, clock, opening } = this.#options;
    const lost = (link: OpenLink, reason: ExecError): void => this.#lost(link, reason);
    let open = undefined as OpenLink | undefined;
    let endedBefore: ExecError | undefined;
    const link = await openLink({
      channel: await connect(),
      clock,
      opening: opening(),
      onUpdate: (id, update) => this.#update(id, update),
      onValue: (id, value) => this.#answered(id, (request) => request.resolve(value)),
      onError: (id, error) => this.#answered(id, (request) => request.reject(error)),
      onEnd(reason) {
        // A link can end in the moment in which it opens, before anybody has it.
        if (open === undefined) endedBefore = reason;
        else lost(open, reason);
      },
    });
    if (endedBefore !== undefined) throw endedBefore;
    open = link;
    if (this.#ended !== undefined) {
      link.end(this.#ended);
      throw this.#ended;
    }
    this.#link = link;
    this.#opened = link;
    this.#ask();
  }

  #answered(id: number, settle: (request: PendingRequest) => void): void {
    const request = this.#settle(id);
    if (request !== undefined) settle(request);
    this.#ask();
  }

  #update(id: number, update: unknown): void {
    const request = this.#pending.get(id);
    try {
      request?.onUpdate?.(update);
    } catch (error) {
      this.#link?.send({ type: "cancel", id });
      this.#settle(id)?.reject(asExecError(error));
    }
  }

  #lost(link: OpenLink, reason: ExecError): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    for (const request of this.#pending.values()) request.isAsked = false;
    if (this.#ended === undefined) this.#reconnect(reason);
  }

  #reconnect(reason?: ExecError): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookForHost(reason)
      .finally(() => {
        this.#isLooking = false;
        // It was found, and lost again before this was told. Where it was given up, nobody waits.
        if (this.#link === undefined && this.#pending.size > 0) this.#reconnect();
      })
      .catch(() => undefined);
  }

  async #lookForHost(first: ExecError | undefined): Promise<void> {
    const { clock, random, giveUpMs } = this.#options;
    const begun = clock.monotonic();
    let reason = first;
    for (let pauseMs = FIRST_PAUSE_MS; this.#ended === undefined; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        await this.#connectOnce();
        return;
      } catch (error) {
        reason = asExecError(error);
      }
      const isOver = clock.monotonic() - begun >= giveUpMs;
      if (isOver || reason.code === "link_refused") break;
      await new Promise<void>((resolve) => clock.after(pauseMs * (0.5 + random()), resolve));
    }
    this.#failAll(this.#ended ?? describeLoss(reason, clock.monotonic() - begun));
  }
}

function describeLoss(reason: ExecError | undefined, ms: number): ExecError {
  if (reason?.code === "link_refused") return reason;
  const why = reason === undefined ? "" : `: ${reason.message}`;
  const message = `the exec host could not be reached for ${(ms / 1_000).toFixed(1)} s, what it runs may go on${why}`;
  return new ExecError("link_lost", message, { cause: reason });
}

function asExecError(error: unknown): ExecError {
  if (error instanceof ExecError) return error;
  return new ExecError("link_lost", error instanceof Error ? error.message : String(error), { cause: error });
}
