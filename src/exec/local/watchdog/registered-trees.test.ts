import { expect, test } from "vitest";
import { decodeTrees, encodeTrees } from "./registered-trees.js";

const mark = (marker: string) => ({ executionId: marker, marker });

test("[X9] trees cross to the watchdog's program with all that tells their processes from others", () => {
  const trees = [
    mark("exec_registered"),
    { ...mark("exec_runs"), shell: { pid: 4_711, started: 800 } },
    { ...mark("exec_exited"), shell: { pid: 4_712, started: 801, reaped: 900 } },
  ];

  const decoded = decodeTrees(encodeTrees(trees), 1_000);

  // Nobody can have been given the id of a shell that was alive when its host died before that.
  expect(decoded).toEqual([
    trees[0],
    { ...mark("exec_runs"), shell: { pid: 4_711, started: 800, reaped: 1_000 } },
    trees[2],
  ]);
});

test.each([
  ["nothing", "", []],
  ["half a line", '[["exec_a",1', []],
  ["another value", "{}", []],
  ["no records", '[1,null,"exec_a",{}]', []],
  ["no marker", '[[""],[7],[]]', []],
  ["the group of everybody", '[["exec_a",1,0]]', [mark("exec_a")]],
  ["the program's own group", '[["exec_a",0,0]]', [mark("exec_a")]],
  ["a negative id", '[["exec_a",-5,0]]', [mark("exec_a")]],
  ["no start time", '[["exec_a",4711]]', [mark("exec_a")]],
])("[X9] %s names no group that could be somebody else's", (_name, line, trees) => {
  expect(decodeTrees(line, 1_000)).toEqual(trees);
});
