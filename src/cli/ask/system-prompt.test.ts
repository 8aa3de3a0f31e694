import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ManualClock } from "../fixtures/clock.js";
import { MAX_NOTES_BYTES, readProjectNotes } from "./project-notes.js";
import { describeWork } from "./system-prompt.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "spillway-notes-"));
  mkdirSync(join(folder, "repo", "src", "deep"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
const notesOf = (path: string): string | undefined => readProjectNotes(join(folder, path))?.text;

test("[R35] the nearest AGENTS.md up to the repository is found, and none beyond it", () => {
  write("AGENTS.md", "outside");
  expect(notesOf("repo/src")).toBeUndefined();

  mkdirSync(join(folder, "repo", ".git"));
  expect(notesOf("repo/src/deep")).toBeUndefined();
  write("repo/AGENTS.md", "of the repository");
  expect(notesOf("repo/src/deep")).toBe("of the repository");
  write("repo/src/AGENTS.md", "of src");
  expect([notesOf("repo/src/deep"), notesOf("repo")]).toEqual(["of src", "of the repository"]);
});

test("[R35] a long one is cut inside no character, and what is no file is left alone", () => {
  write("repo/AGENTS.md", `x${"é".repeat(MAX_NOTES_BYTES)}`);
  const notes = readProjectNotes(join(folder, "repo"));

  expect(notes).toMatchObject({ cutFrom: 1 + 2 * MAX_NOTES_BYTES });
  expect(notes?.text).toBe(`x${"é".repeat(MAX_NOTES_BYTES / 2 - 1)}`);
  mkdirSync(join(folder, "repo", "src", "AGENTS.md"));
  expect(notesOf("repo/src")).toBeUndefined();
});

test("[R35] the model is told where it is, what holds it, and from which file the project's words are", () => {
  write("repo/AGENTS.md", "Use tabs.");
  const cwd = join(folder, "repo");
  const sandbox = { network: false, writable: ["/data"] };

  const text = describeWork(
    { cwd, sandbox },
    { environment: { PATH: "" }, platform: "linux", clock: new ManualClock() },
  );

  for (const fact of [`folder: ${cwd}`, "no repository", "platform: linux", "without network", "/data"]) {
    expect(text).toContain(fact);
  }
  expect(text).toMatch(/date: \d{4}-\d\d-\d\d/);
  expect(text).toContain(`from the file ${join(cwd, "AGENTS.md")}:\n\nUse tabs.`);
});
