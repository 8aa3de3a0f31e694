import type { SessionStorage, SessionTransaction } from "../../storage/index.js";
import { sessionScope } from "../../storage/index.js";
import { sessionPolicy } from "../addresses.js";
import { HarnessError } from "../errors.js";
import type { Permission, PermissionPolicy } from "./contract.js";

export const MAX_POLICY_TOOLS = 256;
/** Where neither the options nor the session say anything. */
export const ALLOW_ALL: PermissionPolicy = { tools: {}, others: "allow" };

/** The session's policy: what is in force, and whether that is stored. */
export class PolicyKeeper {
  readonly #storage: SessionStorage;
  #policy: PermissionPolicy;
  #isStored: boolean;

  constructor(storage: SessionStorage, policy: PermissionPolicy, isStored: boolean) {
    this.#storage = storage;
    this.#policy = policy;
    this.#isStored = isStored;
  }

  get policy(): PermissionPolicy {
    return this.#policy;
  }

  permissionOf(toolName: string): Permission {
    const { tools, others } = this.#policy;
    return (Object.hasOwn(tools, toolName) ? tools[toolName] : undefined) ?? others;
  }

  /** States the policy with a commit where it is not stored yet: an opening writes nothing by itself. */
  state(transaction: SessionTransaction): void {
    if (!this.#isStored) transaction.set(sessionPolicy, this.#policy);
  }

  /** The policy that was stated is durable. */
  stated(policy: PermissionPolicy): void {
    if (policy === this.#policy) this.#isStored = true;
  }

  /** States another policy, which {@link replace} puts into force once it is durable. */
  stateNew(transaction: SessionTransaction, policy: PermissionPolicy): void {
    transaction.set(sessionPolicy, policy);
  }

  /** What the policy is once a tool has a permission of its own. */
  with(toolName: string, permission: Permission): PermissionPolicy {
    return checkPolicy({ ...this.#policy, tools: { ...this.#policy.tools, [toolName]: permission } });
  }

  /** Puts a policy into force that a commit has stored. */
  replace(policy: PermissionPolicy): void {
    this.#policy = policy;
    this.#isStored = true;
  }

  async store(policy: PermissionPolicy): Promise<void> {
    const checked = checkPolicy(policy);
    await this.#storage.commit(sessionScope, (transaction) => transaction.set(sessionPolicy, checked));
    this.replace(checked);
  }
}

/** Gives the options' policy or the stored one. A stored one that is not a policy is refused: nothing is allowed by a fault. */
export async function openPolicy(storage: SessionStorage, given: PermissionPolicy | undefined): Promise<PolicyKeeper> {
  if (given !== undefined) return new PolicyKeeper(storage, checkPolicy(given), false);
  const stored = await storage.readValue(sessionPolicy);
  return stored === undefined
    ? new PolicyKeeper(storage, ALLOW_ALL, true)
    : new PolicyKeeper(storage, checkPolicy(stored), true);
}

const PERMISSIONS: readonly unknown[] = ["allow", "ask", "refuse"] satisfies Permission[];

function checkPolicy(policy: PermissionPolicy): PermissionPolicy {
  const tools: { readonly [toolName: string]: unknown } = policy.tools;
  const names = Object.keys(tools);
  if (names.length > MAX_POLICY_TOOLS) {
    throw new HarnessError(
      "invalid_argument",
      `A policy names at most ${MAX_POLICY_TOOLS} tools, not ${names.length}.`,
    );
  }
  const wrong = names.find((name) => !PERMISSIONS.includes(tools[name]));
  if (wrong !== undefined || !PERMISSIONS.includes(policy.others)) {
    const place = wrong === undefined ? "others" : `tools.${wrong}`;
    throw new HarnessError(
      "invalid_argument",
      `A policy says "allow", "ask" or "refuse"; ${place} says something else.`,
    );
  }
  return structuredClone(policy);
}
