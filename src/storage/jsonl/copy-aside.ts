import { dirname } from "node:path";
import type { FileLayer, OpenFile } from "./file-layer.js";

/** Copies a part of a file to a new file, and has both content and name on disk when it returns. */
export async function copyAside(
  files: FileLayer,
  from: OpenFile,
  to: string,
  { start, bytes }: { readonly start: number; readonly bytes: number },
): Promise<void> {
  const copy = await files.open(to, "create");
  try {
    for (let done = 0; done < bytes;) {
      const portion = Buffer.allocUnsafe(Math.min(COPY_BYTES, bytes - done));
      const count = await from.read(portion, start + done);
      const written = await copy.write(portion.subarray(0, count), done);
      if (written === 0) throw new Error(`${to} took only ${done} of ${bytes} bytes`);
      done += written;
    }
    await copy.sync();
  } finally {
    await copy.close();
  }
  await files.syncFolder(dirname(to));
}

const COPY_BYTES = 1024 * 1024;
