import { expect, test } from "vitest";
import { isShown, mountWords } from "./mounts.js";

test("[X21] of folders that lie in each other the innermost says what is there, in whatever order they are given", () => {
  const words = mountWords([
    { kind: "readable", path: "/srv/a/state/spill" },
    { kind: "writable", path: "/srv/a", from: "/srv/a" },
    { kind: "hidden", path: "/srv/a/state" },
    { kind: "writable", path: "/tmp", from: "/var/tmp/own" },
  ]);

  expect(words.slice(words.indexOf("/proc") + 1).join(" ")).toBe(
    "--bind /var/tmp/own /tmp --bind /srv/a /srv/a --tmpfs /srv/a/state " +
      "--ro-bind /srv/a/state/spill /srv/a/state/spill --remount-ro /srv/a/state",
  );
});

test("[X21] a path is shown unless the innermost mount around it puts something else there", () => {
  const mounts = [
    { kind: "writable", path: "/tmp", from: "/var/tmp/own" },
    { kind: "writable", path: "/tmp/work", from: "/tmp/work" },
    { kind: "hidden", path: "/srv/a/state" },
    { kind: "readable", path: "/srv/a/state/spill" },
  ] as const;
  const shown = ["/tmp/x", "/tmp/work/x", "/usr/bin", "/srv/a/state/run", "/srv/a/state/spill/x", "/srv/a/stateful"];

  expect(shown.map((path) => isShown(path, mounts))).toEqual([false, true, true, false, true, true]);
});
