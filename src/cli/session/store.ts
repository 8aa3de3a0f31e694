import { createJsonlStorage } from "../../storage/index.js";
import type { JsonlStorage } from "../../storage/index.js";
import type { CliContext } from "../context.js";
import { findPlaces, makeFolder, makePrivateFolder } from "../places.js";
import type { Places } from "../places.js";

/** The sessions of this user, and where all that belongs to them lies. */
export interface SessionStore {
  readonly places: Places;
  readonly storage: JsonlStorage;
}

/** Opens the state folder for commands that only look; what is not there is not made. */
export function openStore(context: CliContext): SessionStore {
  const places = findPlaces(context);
  const storage = createJsonlStorage({
    folder: places.sessions,
    onDiagnostic: ({ message }) => context.stderr.write(`spillway: ${message}\n`),
  });
  return { places, storage };
}

/** The same for commands that write. */
export function openWritableStore(context: CliContext): SessionStore {
  const store = openStore(context);
  makeFolder(store.places.state);
  makePrivateFolder(store.places.sessions);
  return store;
}
