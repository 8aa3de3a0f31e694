import { fdatasync, open, write } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const writeAt = promisify(write);
const sync = promisify(fdatasync);

/**
 * A write and an `fdatasync` of as many bytes as spillway's record has, and nothing else: what the machine asks for a
 * record that no power cut takes.
 *
 * @param {string} folder
 * @param {number} bytes
 */
export async function openBare(folder, bytes) {
  const file = await promisify(open)(join(folder, "bare"), "w+", 0o600);
  const record = Buffer.alloc(bytes, "x");
  let position = 0;
  return async () => {
    await writeAt(file, record, 0, bytes, position);
    position += bytes;
    await sync(file);
  };
}
