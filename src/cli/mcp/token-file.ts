import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { CliError, describeFailure } from "../failure.js";

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9._~+/-]{32,}=*$/;

/**
 * The token of a file that only its user can read, which is made where it is not there: so what a client was told once goes on
 * to be right.
 *
 * @throws {CliError} `token_file`
 */
export function readTokenFile(path: string): string {
  try {
    makeTokenFile(path);
    return readPrivate(path);
  } catch (cause) {
    const { message } = describeFailure(cause);
    throw new CliError("token_file", `cannot use the token file ${path}: ${message}`, { cause });
  }
}

function makeTokenFile(path: string): void {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  try {
    writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

function readPrivate(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { mode, uid } = fstatSync(file);
    const user = process.getuid?.() ?? uid;
    if (uid !== user) throw new Error(`it belongs to user ${uid}, and this is user ${user}`);
    if ((mode & 0o077) !== 0) throw new Error("others can read it; chmod 600 it, or remove it for a new one");
    const token = readFileSync(file, "utf8").trim();
    if (!TOKEN.test(token)) throw new Error("it holds no token of at least 32 characters; remove it for a new one");
    return token;
  } finally {
    closeSync(file);
  }
}
