import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { laneEntries } from "../src/harness/index.js";
import { createBashTool } from "../src/tools/index.js";
import { openStage } from "./support/stage.js";

const CANARY = "sk-canary-0123456789-abcdefghij";

test("[X19] a provider's key that a command finds is in no spill, entry, event or wire frame", async () => {
  const command = "env; cat key; ls no-$(cat key); seq 1 3000; cat key; exit 3";
  await using stage = await openStage(command, createBashTool(), { ...process.env, OPENAI_API_KEY: CANARY });
  await writeFile(join(stage.folder, "key"), CANARY);

  await (
    await stage.lane.prompt("look around")
  ).settled;

  const stored = await stage.storage.readList(laneEntries("main"));
  const told = JSON.stringify([stage.messages.map(({ json }) => json), stage.events, stage.lane.view(), stored]);
  const spills = await readdir(stage.spillFolder);
  const saved = await Promise.all(spills.map((name) => readFile(join(stage.spillFolder, name), "utf8")));
  expect(told).not.toContain(CANARY);
  expect(saved.join("")).not.toContain(CANARY);
  expect(saved.join("").split("[secret]")).toHaveLength(4);
  // What came on the other stream may stand between the two.
  expect(told).toMatch(/3000\\\\n(ls: [^"]*\\\\n)?\[secret\]/);
});
