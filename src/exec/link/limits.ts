/** Raised with every change that an older end would misread; both ends must have the same. */
export const PROTOCOL_VERSION = 1;
/** What a host says before its first frame, so that what a login prints on the way is told from it. */
export const PREAMBLE = "spillway exec host\n";
/** Bytes that may come before. */
export const MAX_NOISE_BYTES = 65_536;
/** Most bytes of a frame's content. */
export const MAX_FRAME_BYTES = 16_777_216;
/** The same before a client was accepted. */
export const MAX_HELLO_BYTES = 4_096;
/** How long a client has to say hello, and a host to answer it. */
export const HELLO_MS = 10_000;
/** How often a client says that it is there. */
export const PING_MS = 1_500;
/** A link on which nothing came for so long is given up by the client. */
export const MAX_SILENCE_MS = 5_000;
/** The same for the host, which has no reason to hurry: its side of a dead link costs a descriptor. */
export const MAX_CLIENT_SILENCE_MS = 15_000;
/** Bytes on the way to a client that did not say yet that it took them. Beyond these it is owed a `replace`. */
export const UPDATE_WINDOW_BYTES = 262_144;
/** Received bytes after which a client says so. */
export const ACK_BYTES = 32_768;
/** Bytes of answers that may wait for a client. Until they are fewer nothing more is read from it. */
export const MAX_WAITING_BYTES = 1_048_576;
/** Requests of one link that are worked on at a time, those that follow an execution left out. */
export const MAX_REQUESTS = 64;
/** Executions that one link follows. */
export const MAX_FOLLOWED = 256;
/** Most bytes of a window that crosses a link; twice as much, as JSON, with all else is still a frame. */
export const MAX_LINK_WINDOW_BYTES = 4_194_304;
/** Characters of a command in a listing. */
export const MAX_LISTED_COMMAND = 1_024;
