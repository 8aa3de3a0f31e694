/**
 * @typedef {object} Subject
 * @property {(command: string, receive?: (update: string) => void) => Promise<Totals>} run Resolves when the command is
 *   settled and all it printed is counted; what was saved is removed then. `receive` is given every update as JSON.
 * @property {() => readonly number[]} pids Other processes that the output crosses.
 * @property {() => Promise<void>} close
 *
 * @typedef {{ bytes?: number | undefined, lines?: number | undefined }} Totals Absent where a subject does not tell.
 *
 * @typedef {object} SubjectEntry
 * @property {string} name
 * @property {boolean} isRival
 * @property {boolean} saves Whether the whole output goes to a file.
 * @property {boolean} updates Whether it tells what was printed while it is printed.
 * @property {(folder: string) => Promise<Subject>} open
 */

/** Subjects are loaded when they are opened: none pays for what another one needs. */
const bare = () => import("./bare.mjs");
const spillway = () => import("./spillway.mjs");
const rivals = () => import("./rivals.mjs");

/** @type {readonly SubjectEntry[]} */
export const subjects = [
  subject("bare reader", {}, async () => (await bare()).openBareReader()),
  subject("spillway", { updates: true }, async (folder) => (await spillway()).openLocalEnv(folder, false)),
  subject("execa", { isRival: true }, async () => (await rivals()).openExeca()),
  subject("pi env", { isRival: true, updates: true }, async (folder) => (await rivals()).openPiEnv(folder, false)),
  subject("bare pipe to file", { saves: true }, async (folder) => (await bare()).openBarePipe(folder)),
  subject("spillway, spill", { saves: true, updates: true }, async (folder) =>
    (await spillway()).openLocalEnv(folder, true),
  ),
  subject("spillway host, spill", { saves: true, updates: true }, async (folder) =>
    (await spillway()).openHost(folder),
  ),
  subject("spillway tool", { saves: true, updates: true }, async (folder) => (await spillway()).openTool(folder)),
  subject("pi env, spill", { isRival: true, saves: true, updates: true }, async (folder) =>
    (await rivals()).openPiEnv(folder, true),
  ),
  subject("pi tool", { isRival: true, saves: true, updates: true }, async (folder) =>
    (await rivals()).openPiTool(folder),
  ),
];

/**
 * @param {string} name
 * @param {{ isRival?: boolean, saves?: boolean, updates?: boolean }} traits
 * @param {SubjectEntry["open"]} open
 * @returns {SubjectEntry}
 */
function subject(name, { isRival = false, saves = false, updates = false }, open) {
  return { name, isRival, saves, updates, open };
}

/**
 * @param {string} name
 * @returns {SubjectEntry}
 */
export function findSubject(name) {
  const found = subjects.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no subject ${name}`);
  return found;
}
