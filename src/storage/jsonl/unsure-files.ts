import { copyAside } from "./copy-aside.js";
import type { FileLayer } from "./file-layer.js";
import { unfinishedPath } from "./file-names.js";
import type { SessionFiles } from "./file-names.js";

/**
 * Notes that a sync of a session's files failed. A kernel may take what it could not write for written from then on: the
 * files go on showing it, and no later sync fails. The note need not be synced, since it is about what only memory holds.
 */
export async function markUnsure(files: FileLayer, { unsure }: SessionFiles): Promise<void> {
  // It may be there already. Where even that cannot be made, nothing better is left than to go on without it.
  await files.open(unsure, "create").then(
    (file) => file.close(),
    () => undefined,
  );
}

/** Writes the files of a session that is unsure anew, as they are shown, so that a sync means again what it says. */
export async function renewUnsure(files: FileLayer, names: SessionFiles): Promise<void> {
  const { isUnsure, hasMain, scopeIds } = names.sort(await files.list(names.folder));
  if (!isUnsure || !hasMain) return;
  for (const path of [names.main, ...scopeIds.map((id) => names.sidecar(id))]) await renew(files, path);
  await files.syncFolder(names.folder);
  await files.unlink(names.unsure);
}

async function renew(files: FileLayer, path: string): Promise<void> {
  const unfinished = unfinishedPath(path);
  if ((await files.stat(unfinished)) !== undefined) await files.unlink(unfinished);
  const file = await files.open(path, "read");
  try {
    await copyAside(files, file, unfinished, { start: 0, bytes: (await file.stat()).size });
    await files.rename(unfinished, path);
  } finally {
    await file.close();
  }
}
