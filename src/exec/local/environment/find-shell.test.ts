import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findShell } from "./find-shell.js";

let folder: string;
const place = (name: string, mode: number): string => {
  const path = join(folder, name);
  writeFileSync(path, "");
  chmodSync(path, mode);
  return path;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "shell-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("[X9] bash is preferred to sh, and sh serves where bash is missing", () => {
  const sh = place("sh", 0o700);
  expect(findShell(undefined, { PATH: folder })).toBe(sh);

  const bash = place("bash", 0o700);
  expect(findShell(undefined, { PATH: `/nowhere:${folder}` })).toBe(bash);
});

test("[X9] a shell can be asked for by name and by path", () => {
  const dash = place("dash", 0o700);

  expect(findShell("dash", { PATH: folder })).toBe(dash);
  expect(findShell(dash, { PATH: "" })).toBe(dash);
});

test("[X11] a shell that is missing, a folder or not executable is a spawn_failed that names it", () => {
  place("bash", 0o600);
  mkdirSync(join(folder, "sh"));

  expect(() => findShell(undefined, { PATH: folder })).toThrow(expect.objectContaining({ code: "spawn_failed" }));
  expect(() => findShell(undefined, { PATH: folder })).toThrow(`neither bash nor sh in PATH (${folder})`);
  expect(() => findShell("zsh", { PATH: folder })).toThrow("the shell zsh is not an executable file");
});

test("[X9] relative folders of PATH are not searched, the command's working folder is another", () => {
  expect(() => findShell("bash", { PATH: ".:bin" })).toThrow("is not an executable file");
});
