import type { ViewerStage } from "./viewer-stage.js";

/** A run as people have them: a prompt, an answer, a call that failed, and one that is at work and has slid; gives the last one's id. */
export function playLongRun(stage: ViewerStage): string {
  const { source } = stage;
  const { lane } = source;
  source.play(lane.startOperation());
  source.play(lane.prompt("Build it, and tell me what is broken."));
  source.play(lane.startMessage());
  source.play(lane.say("I run the tests first, then the whole build.\n\nWarnings are shown as they come."));
  source.play(lane.endMessage("toolCalls"));
  const tests = stage.startCall("npm test -- --reporter=dot");
  source.play(
    lane.write(
      tests,
      "RUN  v4.1.12\n\n × parse > keeps the last line\n   expected 'a' to be 'b'\n\n1 failed | 211 passed\n",
    ),
  );
  source.play(
    lane.editTool(tests, (output) => {
      output.content.push({ type: "text", text: "The command ended with exit code 1.", notice: true });
      output.truncation.totalLines = 6;
    }),
  );
  source.play(lane.endTool(tests, true));
  const build = stage.startCall("cmake --build build --parallel 8 \\\n  && ctest --test-dir build");
  slideBuild(stage, build, 600);
  source.play(
    lane.editTool(build, (output) => {
      output.progress = "[100%] Linking CXX executable bin/spillway  ▏█████████▌ ▕ 87 MB/s";
      output.details = { spillPath: "/spill/s_1/exec_7.log" };
    }),
  );
  return build;
}

/** Writes lines until the window is full, then slides it. */
export function slideBuild({ source }: ViewerStage, call: string, updates: number): void {
  const { lane } = source;
  for (let index = 0; index < updates; index += 1) {
    const text =
      `[${String(index % 100).padStart(3)}%] Building CXX object src/CMakeFiles/unit_${index}.dir/part_${index * 7}.cpp.o\n`.repeat(
        3,
      );
    source.play(
      lane.editTool(call, (output) => {
        const [block] = output.content;
        if (block?.type !== "text") return;
        const { truncation } = output;
        truncation.totalLines += 3;
        truncation.totalBytes += text.length;
        const excess = block.text.length + text.length - truncation.maxBytes;
        if (excess > 0) {
          truncation.truncated = true;
          truncation.truncatedBy = "bytes";
          block.text = block.text.slice(block.text.indexOf("\n", excess) + 1);
        }
        block.text += text;
      }),
    );
  }
}
