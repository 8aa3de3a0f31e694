import { readFileSync } from "node:fs";

/** What tells one life of an exec host from every other. */
export interface HostIdentity {
  /** Part of the ids of its executions, so that a later host knows that one of them was not its own. */
  readonly hostId: string;
  /** The kernel's name for this boot of the machine; empty where it has none. */
  readonly bootId: string;
}

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const HOST_ID_LENGTH = 8;

export function createHostIdentity(random: () => number): HostIdentity {
  let hostId = "";
  for (let i = 0; i < HOST_ID_LENGTH; i += 1) hostId += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
  return { hostId, bootId: readBootId() };
}

export function idPrefixOf({ hostId }: HostIdentity): string {
  return `exec_${hostId}_`;
}

/** Whether an execution has an id that a host gives, and this one did not give it. */
export function isOfAnotherHost(executionId: string, { hostId }: HostIdentity): boolean {
  const given = /^exec_([a-z0-9]{8})_[a-z0-9]{16}$/.exec(executionId)?.[1];
  return given !== undefined && given !== hostId;
}

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}
