import type { EntryId, MessageId } from "../protocol/index.js";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
/** 16 characters of 36: two ids of a session meet by chance once in 10^12 sessions of a million ids. */
const RANDOM_LENGTH = 16;

export type IdKind = "op" | "turn" | "msg" | "call" | "entry";

/** Makes ids such as `op_5k2…`; `random` gives numbers from 0 up to 1. */
export function createIds(random: () => number): (kind: IdKind) => string {
  return (kind) => {
    let id = `${kind}_`;
    for (let i = 0; i < RANDOM_LENGTH; i += 1) id += ALPHABET.charAt(Math.floor(random() * ALPHABET.length));
    return id;
  };
}

/** The entry that a message becomes. Fixed by the message's id, so recovery sees whether a pending message is stored. */
export function entryOfMessage(messageId: MessageId): EntryId {
  return `entry_${messageId.slice("msg_".length)}`;
}
