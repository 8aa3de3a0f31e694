import type { ExecutionEnv } from "../contract.js";
import { boolean, bytes, count, optional, record, string } from "../link/checks.js";
import { getOrThrow } from "../result.js";

type FileHandler = (opened: { readonly env: ExecutionEnv }, params: unknown) => Promise<unknown>;

const onPath = record({ path: string });

const checks = {
  read: record({ path: string, offset: optional(count), maxBytes: optional(count) }),
  write: record({ path: string, bytes, mode: optional(count), expect: optional(string), again: optional(boolean) }),
  rename: record({ from: string, to: string, again: optional(boolean) }),
  remove: record({ path: string, recursive: optional(boolean), again: optional(boolean) }),
};

/**
 * The file operations. `again` says that the client asks a second time because a link was lost before the answer came: what
 * the first time did is then no reason to fail.
 */
export const fileRequests: Readonly<Record<string, FileHandler>> = {
  async "files.stat"({ env }, params) {
    return getOrThrow(await env.files.stat(onPath(params, "stat").path));
  },
  async "files.read"({ env }, params) {
    const { path, ...options } = checks.read(params, "read");
    const { bytes: content, ...read } = getOrThrow(await env.files.read(path, options));
    return { ...read, bytes: Buffer.from(content.buffer, content.byteOffset, content.length).toString("base64") };
  },
  async "files.write"({ env }, params) {
    const { path, bytes: content, again, ...options } = checks.write(params, "write");
    const written = await env.files.write(path, content, options);
    if (written.ok || again !== true || options.expect === undefined) return getOrThrow(written);
    const found = await env.files.read(path);
    if (found.ok && Buffer.compare(found.value.bytes, content) === 0) return found.value.info;
    return getOrThrow(written);
  },
  async "files.list"({ env }, params) {
    return getOrThrow(await env.files.list(onPath(params, "list").path));
  },
  async "files.makeFolder"({ env }, params) {
    return getOrThrow(await env.files.makeFolder(onPath(params, "makeFolder").path));
  },
  async "files.rename"({ env }, params) {
    const { from, to, again } = checks.rename(params, "rename");
    const renamed = await env.files.rename(from, to);
    if (renamed.ok || again !== true || renamed.error.code !== "file_not_found") return getOrThrow(renamed);
    const target = await env.files.stat(to);
    return target.ok ? target.value : getOrThrow(renamed);
  },
  async "files.remove"({ env }, params) {
    const { path, recursive, again } = checks.remove(params, "remove");
    const removed = await env.files.remove(path, { recursive });
    if (!removed.ok && !(again === true && removed.error.code === "file_not_found")) throw removed.error;
  },
};
