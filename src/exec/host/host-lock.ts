import { closeSync, constants, openSync } from "node:fs";

/**
 * Takes the kernel's lock of a file for as long as this process lives; undefined where another process has it. Gone in the
 * moment in which its process is, and never taken over from one that is paused.
 */
export async function takeHostLock(path: string): Promise<{ release(): void } | undefined> {
  // Loaded when it is needed: an exec host on a program's streams needs no native code.
  const { tryLock } = await import("fs-native-extensions");
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  if (tryLock(descriptor)) return { release: () => closeSync(descriptor) };
  closeSync(descriptor);
  return undefined;
}
