/**
 * The version of every shape in this folder, as sent on the wire and kept on disk. It rises when a shape changes so that
 * an older reader would misread it.
 *
 * 1: the first.
 * 2: approvals, queued messages, retries and summaries; an operation's end states what it consumed.
 */
export const PROTOCOL_VERSION = 2;
