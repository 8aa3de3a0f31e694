import { expect, test } from "vitest";
import { fakeTree, toTableProcess } from "../fixtures/fake-processes.js";
import type { FakeProcess } from "../fixtures/fake-processes.js";
import { membersOf } from "./members.js";

const SHELL = 100;
const STRANGER = { pid: 7, started: 50 };
const REAPED = { reaped: 60 };

const pidsOf = (tree: ReturnType<typeof fakeTree>, processes: readonly FakeProcess[]): number[] =>
  membersOf(tree, processes.map(toTableProcess)).map((process) => process.pid);

test("[X9] processes that carry the marker belong to the tree, also as one of several markers", () => {
  const marked = [
    { pid: 101, markers: ["m"] },
    { pid: 102, markers: ["outer", "m", "inner"] },
    { pid: 103, markers: ["mm"] },
  ];

  expect(pidsOf(fakeTree(SHELL), [STRANGER, ...marked])).toEqual([101, 102]);
});

test("[X17] the shell's group and session belong to the tree without any marker", () => {
  const led = [
    { pid: 100, group: 100 },
    { pid: 101, group: 100 },
    { pid: 102, group: 102, session: 100 },
  ];

  expect(pidsOf(fakeTree(SHELL), [STRANGER, ...led])).toEqual([100, 101, 102]);
});

test("[X17] descendants of a member belong to the tree, whatever they did to their environment", () => {
  const family = [
    { pid: 103, parent: 102 },
    { pid: 102, parent: 101 },
    { pid: 101, markers: ["m"] },
    { pid: 104, parent: 7 },
  ];

  expect(pidsOf(fakeTree(SHELL), [STRANGER, ...family]).toSorted((a, b) => a - b)).toEqual([101, 102, 103]);
});

test("[X17] whoever holds a pipe of the execution belongs to the tree", () => {
  const holder = { pid: 300, pipes: ["1:2"] };

  expect(pidsOf(fakeTree(SHELL, { pipes: ["1:2"] }), [STRANGER, holder])).toEqual([300]);
  expect(pidsOf(fakeTree(SHELL, { pipes: ["1:3"] }), [STRANGER, holder])).toEqual([]);
});

test("[X17] once the shell was collected, a group with its id counts only while a companion of it lives", () => {
  const reused = { pid: 100, group: 100, started: 61 };
  const companion = { pid: 101, group: 100, started: 59 };
  const marked = { pid: 102, group: 100, started: 61, markers: ["m"] };

  expect(pidsOf(fakeTree(SHELL, REAPED), [reused])).toEqual([]);
  expect(pidsOf(fakeTree(SHELL, REAPED), [companion])).toEqual([101]);
  expect(pidsOf(fakeTree(SHELL, REAPED), [marked])).toEqual([102]);
});
