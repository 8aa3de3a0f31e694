import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/**
 * Syncs of files and folders that this process has asked for; writes to a descriptor whose every write is synced count
 * too. Subjects must be loaded after this.
 */
export let syncs = 0;

const syncedDescriptors = new Set();

for (const name of /** @type {const} */ (["fsync", "fdatasync", "fsyncSync", "fdatasyncSync"])) {
  const original = /** @type {any} */ (fs[name]);
  fs[name] = /** @type {any} */ (
    (/** @type {any[]} */ ...args) => {
      syncs += 1;
      return original(...args);
    }
  );
}

const { open, write, close } = fs;
fs.open = /** @type {any} */ (
  (/** @type {any[]} */ ...args) => {
    const callback = args.pop();
    const isSynced = typeof args[1] === "number" && (args[1] & fs.constants.O_DSYNC) !== 0;
    /** @type {any} */ (open)(...args, (/** @type {any} */ error, /** @type {number} */ descriptor) => {
      if (isSynced && error === null) syncedDescriptors.add(descriptor);
      callback(error, descriptor);
    });
  }
);
fs.write = /** @type {any} */ (
  (/** @type {any[]} */ ...args) => {
    if (syncedDescriptors.has(args[0])) syncs += 1;
    return /** @type {any} */ (write)(...args);
  }
);
fs.close = /** @type {any} */ (
  (/** @type {any[]} */ ...args) => {
    syncedDescriptors.delete(args[0]);
    return /** @type {any} */ (close)(...args);
  }
);
const { FileHandle } = await fileHandleOf();
for (const name of /** @type {const} */ (["sync", "datasync"])) {
  const original = FileHandle.prototype[name];
  FileHandle.prototype[name] = function () {
    syncs += 1;
    return original.call(this);
  };
}
syncBuiltinESMExports();

/** The class has no name of its own. */
async function fileHandleOf() {
  const file = await fs.promises.open(process.execPath, "r");
  await file.close();
  return { FileHandle: /** @type {any} */ (file.constructor) };
}
