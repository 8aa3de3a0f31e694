import { expect, test } from "vitest";
import { isShown, mountWords } from "./mounts.js";

test("[X21] of folders that lie in each other the innermost says what is there, in whatever order they are given", () => {
  const words = mountWords([
    { kind: "readable", path: "/home/a/state/spill" },
    { kind: "writable", path: "/home/a", from: "/home/a" },
    { kind: "hidden", path: "/home/a/state" },
    { kind: "writable", path: "/tmp", from: "/var/tmp/own" },
  ]);

  expect(words.slice(words.indexOf("/proc") + 1).join(" ")).toBe(
    "--bind /var/tmp/own /tmp --bind /home/a /home/a --tmpfs /home/a/state " +
      "--ro-bind /home/a/state/spill /home/a/state/spill --remount-ro /home/a/state",
  );
});

test("[X21] a path is shown unless the innermost mount around it puts something else there", () => {
  const mounts = [
    { kind: "writable", path: "/tmp", from: "/var/tmp/own" },
    { kind: "writable", path: "/tmp/work", from: "/tmp/work" },
    { kind: "hidden", path: "/home/a/state" },
    { kind: "readable", path: "/home/a/state/spill" },
  ] as const;
  const shown = ["/tmp/x", "/tmp/work/x", "/usr/bin", "/home/a/state/run", "/home/a/state/spill/x", "/home/a/stateful"];

  expect(shown.map((path) => isShown(path, mounts))).toEqual([false, true, true, false, true, true]);
});
