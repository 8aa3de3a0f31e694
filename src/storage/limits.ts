/** What one commit may state: all its texts and keys together, and a fixed number of bytes for each write. */
export const MAX_COMMIT_BYTES = 256 * 1024 * 1024;
