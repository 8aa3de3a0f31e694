/**
 * A way to keep a session. What it is asked to keep is the same for all; what an acknowledgement means is not, and
 * `durable` says so.
 *
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} durable What is safe when a record is acknowledged: from a "kill", or from a "power cut".
 * @property {(folder: string) => Promise<Session>} create The one session of an empty folder.
 * @property {(folder: string) => Promise<Session>} open The session that was closed there.
 * @property {(folder: string, texts: Iterable<string>) => Promise<void>} fill Makes the session with a record for each text.
 *
 * @typedef {object} Session
 * @property {(text: string) => Promise<unknown>} add A record of the transcript, acknowledged as the subject does it.
 * @property {(text: string) => Promise<unknown>} frame The next piece of the message that is being answered.
 * @property {(message: string) => Promise<unknown>} endMessage It is whole: it joins the transcript, and its pieces may go.
 * @property {(tool: number, change: Change) => Promise<unknown>} checkpoint The output of a running tool changed.
 * @property {(outputs: readonly string[]) => Promise<unknown>} settle The operation has ended: its outputs join the
 *   transcript, and what was kept of them until now may go.
 * @property {() => Promise<string>} last The newest record's text.
 * @property {() => Promise<unknown>} close
 *
 * @typedef {object} Change Of a window of text; the first one of a tool drops nothing.
 * @property {number} dropped Code units that went at the front.
 * @property {string} added
 * @property {string} text The whole window afterwards.
 */

export const SPILLWAY = "spillway";
export const BARE = "bare write + fdatasync";
const WHOLE_VALUE = "whole-value JSONL";
const WHOLE_VALUE_SYNCED = "whole-value JSONL, synced";
export const PI = "pi JSONL session";
const PICO3 = "pico3";
const PICO3_UNSYNCED = "pico3, fsync off";

export const SUBJECTS = [SPILLWAY, PICO3, PICO3_UNSYNCED, PI, WHOLE_VALUE_SYNCED, WHOLE_VALUE];
/** Those that need nothing but this repository. */
export const OWN_SUBJECTS = [SPILLWAY, WHOLE_VALUE_SYNCED];
