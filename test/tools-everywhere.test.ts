import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { getOrThrow } from "../src/exec/index.js";
import type { Json } from "../src/protocol/index.js";
import { createBuiltInTools } from "../src/tools/index.js";
import type { AgentHarnessTool, BashToolDetails } from "../src/tools/index.js";
import { runTool } from "../src/tools/fixtures/run-tool.js";
import { describeIn, everyToolEnv, readPlanted, shownBy, toolEnvs } from "./support/tool-envs.js";

// A little of every tool in every kind of env, so that none is left to CI alone.

describeIn(everyToolEnv, (stage) => {
  const call = (name: string, params: Json) => runTool(findTool(name), stage.env, params);

  test("[T8] what one tool makes, the next finds, whatever env they run in", async () => {
    const content = "one\ntwo\nthree\n";
    const edits = [
      { oldText: "one", newText: "1" },
      { oldText: "three", newText: "3" },
    ];

    expect(shownBy(await call("write", { path: "a/b.txt", content }))).toEqual([
      null,
      "Made a/b.txt: 14 bytes, 3 lines\n",
      null,
    ]);
    expect((await call("edit", { path: "a/b.txt", edits })).error).toBeUndefined();
    expect((await call("read", { path: "a/b.txt" })).text()).toBe("1\ntwo\n3\n");
    expect((await call("bash", { command: "cat a/b.txt; chmod 640 a/b.txt" })).text()).toBe("1\ntwo\n3\n");
    expect((await call("grep", { pattern: "^t" })).text()).toBe("a/b.txt:2:two\n");
    expect((await call("find", { pattern: "*.txt" })).text()).toBe("a/b.txt\n");
    expect((await call("ls", {})).text()).toBe("a/\n");
    expect((await call("edit", { path: "a/b.txt", edits: [{ oldText: "x", newText: "y" }] })).error).toMatchObject({
      code: "text_not_found",
    });
    expect([await readPlanted(stage.env, "a/b.txt"), getOrThrow(await stage.env.files.stat("a/b.txt")).mode]).toEqual([
      "1\ntwo\n3\n",
      0o640,
    ]);
  });
});

describeIn(toolEnvs, (stage) => {
  const call = (name: string, params: Json) => runTool(findTool(name), stage.env, params);

  test("[T8] [X8] O25: what is saved of a large output can be read and searched by the tools, and is all of it", async () => {
    const run = await call("bash", { command: "seq 1 30000" });
    const { spillPath = "" } = run.sink.snapshot().details as BashToolDetails;

    const read = await call("read", { path: spillPath, offset: 15_000, limit: 2 });
    const found = await call("grep", { pattern: "^29999$", path: spillPath });
    const { bytes } = getOrThrow(await stage.env.files.read(spillPath));

    expect(run.notice()).toContain(`The whole output is in ${spillPath}]`);
    expect(read.text()).toBe("15000\n15001\n");
    expect(found.text()).toMatch(/:29999:29999\n$/);
    expect(hashOf(bytes)).toBe(hashOf(Array.from({ length: 30_000 }, (_, index) => `${index + 1}\n`).join("")));
  });
});

function findTool(name: string): AgentHarnessTool {
  const tool = createBuiltInTools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

function hashOf(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
