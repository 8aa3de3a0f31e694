import assert from "node:assert/strict";
import { afterAll, describe, test } from "vitest";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import { connectChild, openHostPlace } from "../src/exec/host/fixtures/host-programs.js";
import { defineExecSuite } from "../src/testing/index.js";

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
    test,
    assert,
    open: async () => ({
      env: await connectExecHost({ connect: place.connect, cwd: place.folder(), environment: process.env }),
      dispose,
    }),
  });
});
