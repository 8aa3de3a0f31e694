import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ID_PATTERN } from "../protocol/index.js";
import { createSessionId, findPlaces, makeFolder, makePrivateFolder } from "./places.js";

const base = { platform: "linux", home: "/home-of/me", cwd: "/work", temporary: "/tmp", user: 7 } as const;

test.each([
  ["SPILLWAY_HOME", { ...base, environment: { SPILLWAY_HOME: "/state" } }, "/state"],
  ["a relative SPILLWAY_HOME", { ...base, environment: { SPILLWAY_HOME: "here" } }, "/work/here"],
  ["an empty SPILLWAY_HOME", { ...base, environment: { SPILLWAY_HOME: "" } }, "/home-of/me/.local/state/spillway"],
  ["XDG_STATE_HOME", { ...base, environment: { XDG_STATE_HOME: "/xdg" } }, "/xdg/spillway"],
  ["a relative XDG_STATE_HOME", { ...base, environment: { XDG_STATE_HOME: "x" } }, "/home-of/me/.local/state/spillway"],
  [
    "macOS",
    { ...base, platform: "darwin", environment: {} } as const,
    "/home-of/me/Library/Application Support/spillway",
  ],
])("[R11] the state folder with %s", (_name, input, state) => {
  const places = findPlaces(input);

  expect(places.state).toBe(state);
  expect(places.spillFolder("s_1")).toBe(join(state, "spill", "s_1"));
});

test("[R11] a socket has a short path of its own in a folder of the user, the same each time", () => {
  const long = `/${"long/".repeat(40)}`;
  const inTemporary = findPlaces({ ...base, environment: { SPILLWAY_HOME: long } });
  const inRuntime = findPlaces({ ...base, environment: { SPILLWAY_HOME: long, XDG_RUNTIME_DIR: "/run/user/7" } });

  expect(inTemporary.socket("s_1")).toMatch(/^\/tmp\/spillway-7\/[0-9a-f]{24}\.sock$/);
  expect(inRuntime.socket("s_1")).toMatch(/^\/run\/user\/7\/spillway\/[0-9a-f]{24}\.sock$/);
  expect(inTemporary.socket("s_1")).toBe(inTemporary.socket("s_1"));
  expect(inTemporary.socket("s_1")).not.toBe(inTemporary.socket("s_2"));
  expect(findPlaces({ ...base, environment: {} }).socket("s_1")).not.toBe(inTemporary.socket("s_1"));
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spillway-places-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[R11] folders are made for their owner alone, also where they were there before", () => {
  const old = join(folder, "old");
  mkdirSync(old, { mode: 0o755 });

  makePrivateFolder(old);
  makePrivateFolder(join(old, "a", "b"));

  expect([old, join(old, "a"), join(old, "a", "b")].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700, 0o700,
  ]);
});

test("[R11] a state folder that was there before keeps its mode: it may be shared", () => {
  const shared = join(folder, "shared");
  mkdirSync(shared, { mode: 0o755 });
  chmodSync(shared, 0o1777);

  makeFolder(shared);

  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
});

test("[R11] a folder that cannot be made below /proc is refused at once", () => {
  expect(() => makeFolder("/proc/1/a/b")).toThrow(/cannot use the folder \/proc\/1\/a\/b/);
});

test.each([
  ["", /HOME is not set; set SPILLWAY_HOME/],
  ["relative", /HOME is "relative", which is no absolute path/],
])("[R11] without a home, here %j, the state folder has to be named", (home, message) => {
  expect(() => findPlaces({ ...base, home, environment: {} })).toThrow(message);
});

test("[R11] a state folder that cannot be used is refused with what to do", () => {
  writeFileSync(join(folder, "file"), "");

  expect(() => makePrivateFolder(join(folder, "file", "state"))).toThrow(/set SPILLWAY_HOME to a folder/);
});

test("[R11] session ids are ids, and sort by time", () => {
  const ids = [1_700_000_000_000, 1_800_000_000_000].map((now) => createSessionId(now, () => 0.999));

  for (const id of ids) expect(id).toMatch(ID_PATTERN);
  expect([...ids].sort()).toEqual(ids);
});
