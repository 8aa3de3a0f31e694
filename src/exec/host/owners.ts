import { join } from "node:path";
import type { Clock } from "../clock.js";
import type { OwnedExecution } from "../contract.js";
import { ExecError } from "../errors.js";
import type { Environment } from "../local/environment/command-environment.js";
import { createClientLinks } from "./client-links.js";
import type { ClientLinks } from "./client-links.js";
import type { HostIdentity } from "./host-identity.js";
import { isOfAnotherHost } from "./host-identity.js";
import { createOwner } from "./owner.js";
import type { Owner } from "./owner.js";

export interface OwnersOptions {
  readonly cwd: string;
  readonly environment: Environment;
  readonly spillRoot: string;
  readonly hidden: readonly string[] | undefined;
  readonly maxSpillBytes: number | undefined;
  readonly maxEnvSpillBytes: number | undefined;
  readonly maxUnattendedMs: number;
  readonly identity: HostIdentity;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Those for whom a host runs executions: each is a name that its clients give, such as a session's id. */
export interface Owners {
  /** The owner of this name, made when it is first asked for. */
  get(name: string): Owner;
  /** Who has this execution. @throws {ExecError} `execution_lost` or `execution_unknown` */
  find(executionId: string): Promise<Owner>;
  list(): Promise<readonly OwnedExecution[]>;
  /** Of the clients of all owners. */
  readonly links: ClientLinks;
  close(): Promise<void>;
}

export function createOwners(options: OwnersOptions): Owners {
  const owners = new Map<string, Owner>();
  let closed = false;

  return {
    links: createClientLinks(),
    get(name) {
      if (closed) throw new ExecError("env_closed", "the exec host is ending");
      const known = owners.get(name);
      if (known !== undefined && !known.isClosed) return known;
      const owner = createOwner({ ...options, spillFolder: join(options.spillRoot, name) }, () => {
        if (owners.get(name) === owner) owners.delete(name);
      });
      owners.set(name, owner);
      return owner;
    },
    async find(executionId) {
      for (const owner of owners.values()) if (owner.has(executionId)) return owner;
      if (isOfAnotherHost(executionId, options.identity)) {
        throw new ExecError(
          "execution_lost",
          `the exec host that ran ${executionId.slice(0, 64)} has ended since; what it did is not known`,
        );
      }
      throw new ExecError("execution_unknown", `no execution is known as ${executionId.slice(0, 64)}; see list()`);
    },
    async list() {
      const lists = [...owners].map(async ([name, owner]) => {
        return (await owner.list()).map((info): OwnedExecution => ({ ...info, owner: name }));
      });
      return (await Promise.all(lists)).flat();
    },
    async close() {
      closed = true;
      await Promise.all([...owners.values()].map((owner) => owner.close()));
    },
  };
}
