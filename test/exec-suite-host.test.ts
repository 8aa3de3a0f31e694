import assert from "node:assert/strict";
import { afterAll, describe, test } from "vitest";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import { connectChild, openHostPlace } from "../src/exec/host/fixtures/host-programs.js";
import { defineExecSuite } from "../src/testing/index.js";
import { suiteTest } from "./support/machine-needs.js";

const place = openHostPlace();
afterAll(() => place.dispose());
const dispose = (): Promise<void> => Promise.resolve();

describe("[X13] an exec host as a child passes the contract suite over its standard streams", () => {
  defineExecSuite({
    test,
    assert,
    open: async () => ({ env: await connectExecHost({ connect: connectChild(place, place.folder()) }), dispose }),
  });
});

describe("[X13] an exec host as a daemon passes the contract suite over its socket", () => {
  defineExecSuite({
    // The same host behind another link: a third of the cases shows that.
    test: suiteTest(test, [], { oneIn: 3 }),
    assert,
    open: async () => ({
      env: await connectExecHost({ connect: place.connect, cwd: place.folder(), environment: process.env }),
      dispose,
    }),
  });
});
