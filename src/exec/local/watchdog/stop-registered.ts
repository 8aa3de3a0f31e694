import { readFileSync } from "node:fs";
import { systemClock } from "../../clock.js";
import { holdProcess } from "../hold-process.js";
import { createProcessControl } from "../processes/process-control.js";
import { stopTree } from "../processes/stop-tree.js";
import { decodeTrees } from "./registered-trees.js";

// The program that a watchdog runs once its host is gone: stops the trees that its standard input tells of.

for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);

const control = createProcessControl(process.platform, systemClock);
const trees = decodeTrees(readFileSync(0, "utf8"), control.table.now());
const release = holdProcess();
// Each for itself: a fault of one stop is no reason to leave the others.
await Promise.allSettled(trees.map((tree) => stopTree(tree, control)));
release();
