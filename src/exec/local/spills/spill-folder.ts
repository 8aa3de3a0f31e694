import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { openSpill } from "../../output/spill-handle.js";
import type { OpenSpill } from "../../output/spill-handle.js";
import { isGone } from "./spill-listing.js";

/**
 * Makes a file in a folder for this user alone, which is made with it: most commands save nothing. Where the folder cannot
 * be made, the file cannot either, and whoever saves tells that as it tells of a full disk.
 */
export const openInSpillFolder: OpenSpill = async (path) => {
  try {
    return await makeFile(path);
  } catch (error) {
    // A sweep has just removed the folder, which was empty.
    if (isGone(error)) return makeFile(path);
    throw error;
  }
};

const makeFile: OpenSpill = async (path) => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return openSpill(path);
};
