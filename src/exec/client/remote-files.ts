import { ExecError } from "../errors.js";
import { MAX_FILE_BYTES } from "../files.js";
import type { EnvFiles } from "../files.js";
import { fileBytes, fileInfo, folderListing } from "../link/shapes.js";
import { coded } from "./coded.js";
import type { HostSession } from "./host-session.js";

/** The files of the host. */
export function createRemoteFiles(session: Pick<HostSession, "request">): EnvFiles {
  return {
    stat: (path) => coded(async () => fileInfo(await session.request("files.stat", { path }), "the file")),
    read: (path, options = {}) =>
      coded(async () => fileBytes(await session.request("files.read", { path, ...options }), "the file")),
    write: (path, bytes, options = {}) =>
      coded(async () => {
        if (bytes.length > MAX_FILE_BYTES) {
          throw new ExecError(
            "file_too_large",
            `${bytes.length} bytes are more than the ${MAX_FILE_BYTES} that one write takes; have a command write them`,
          );
        }
        const params = { path, bytes: toBase64(bytes), ...options };
        return fileInfo(await session.request("files.write", params), "the file");
      }),
    list: (path) => coded(async () => folderListing(await session.request("files.list", { path }), "the folder")),
    makeFolder: (path) =>
      coded(async () => fileInfo(await session.request("files.makeFolder", { path }), "the folder")),
    rename: (from, to) => coded(async () => fileInfo(await session.request("files.rename", { from, to }), "the file")),
    remove: (path, options = {}) =>
      coded(async () => {
        await session.request("files.remove", { path, ...options });
      }),
  };
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
}
