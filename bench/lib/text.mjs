import { randomInteger } from "./random.mjs";

/** @typedef {import("./random.mjs").Random} Random */

/** 64 characters, so that six random bits name one; what is frequent in output stands here more often. */
const CHARACTERS = Buffer.from("        eeeeettttaaaaooooiiinnnsssrrrlldducmfpghybkvwxzj012345678/._-".slice(0, 64));
const NEWLINE = 0x0a;
const QUOTE = 0x22;

/**
 * `bytes` of lines of changing length that never repeat, with here and there a character that JSON must escape. ASCII, so
 * bytes are code units. Ends with a newline.
 *
 * @param {Random} random
 * @param {number} bytes
 */
export function variedText(random, bytes) {
  const units = Buffer.allocUnsafe(bytes);
  for (let at = 0; at < bytes; at += 5) {
    const bits = random() * 2 ** 32;
    for (let place = 0; place < 5 && at + place < bytes; place += 1) {
      units[at + place] = CHARACTERS[(bits >>> (place * 6)) & 63] ?? 0;
    }
  }
  for (let at = randomInteger(random, 400); at < bytes; at += 200 + randomInteger(random, 400)) units[at] = QUOTE;
  for (let at = 20 + randomInteger(random, 100); at < bytes; at += 20 + randomInteger(random, 100)) units[at] = NEWLINE;
  if (bytes > 0) units[bytes - 1] = NEWLINE;
  return units.toString("latin1");
}

/**
 * `bytes` of a build log that says the same again and again: a few kinds of lines, of which one in `1 / variety` is new.
 *
 * @param {Random} random
 * @param {number} bytes
 */
export function repetitiveText(random, bytes, variety = 0.02) {
  const lines = [];
  let length = 0;
  while (length < bytes) {
    const number = random() < variety ? String(randomInteger(random, 1e6)) : "core";
    const line = `cc -O2 -Wall -Wextra -Iinclude -fPIC -c -o build/obj/${number}.o src/${number}.c\n`;
    length += line.length;
    lines.push(line);
  }
  return flat(`${lines.join("").slice(0, bytes - 1)}\n`);
}

/**
 * `bytes` of a two-letter period with one flaw in 1,000: the head of a moved window is found everywhere, and nearly
 * everywhere what follows does not agree.
 *
 * @param {Random} random
 * @param {number} bytes
 */
export function periodicText(random, bytes) {
  const units = Buffer.alloc(bytes, "ab");
  for (let flaws = bytes / 1_000; flaws > 0; flaws -= 1) {
    if (random() < flaws) units[randomInteger(random, bytes)] = 0x63;
  }
  return units.toString("latin1");
}

/**
 * Text from a process is decoded from bytes and so lies in one piece; text that was put together here would bring its
 * pieces along, and the first who reads it would pay for joining them.
 *
 * @param {string} text
 */
function flat(text) {
  return Buffer.from(text, "latin1").toString("latin1");
}
