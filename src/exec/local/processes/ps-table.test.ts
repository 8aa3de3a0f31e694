import { expect, test } from "vitest";
import { parseListing } from "./ps-table.js";

test("[X9] a listing of ps gives ids, markers and the command line, without zombies", () => {
  const listing = [
    "    1     0     1 Ss   /sbin/launchd",
    "  812   811   810 S+   sleep 60 HOME=/home/a SPILLWAY_EXECUTION=outer:exec_a TERM=dumb",
    "  813   811   810 Z    (sleep)",
    "",
  ].join("\n");

  const found = parseListing(listing).map((process) => [
    process.pid,
    process.parent,
    process.group,
    process.markers(),
    process.describe().command.slice(0, 13),
  ]);

  expect(found).toEqual([
    [1, 0, 1, [], "/sbin/launchd"],
    [812, 811, 810, ["outer", "exec_a"], "sleep 60 HOME"],
  ]);
});
