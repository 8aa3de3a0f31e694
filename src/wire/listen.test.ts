import { fork } from "node:child_process";
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serveLane, tokens } from "./fixtures/served-lane.js";
import { askJson } from "./http-client.js";
import { createWireServer } from "./index.js";
import type { WireServer } from "./index.js";

async function another(stage: {
  readonly source: Parameters<typeof createWireServer>[0]["source"];
}): Promise<WireServer & AsyncDisposable> {
  const server = createWireServer({ source: stage.source, tokens });
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) });
}

test("[W3] the socket file is its owner's alone, and is gone after close", async () => {
  await using stage = await serveLane();
  expect((await stat(stage.socketPath)).mode & 0o777).toBe(0o600);

  await stage.server.close();

  await expect(stat(stage.socketPath)).rejects.toMatchObject({ code: "ENOENT" });
});

test("[C3] a socket file that a dead process left is replaced", async () => {
  await using stage = await serveLane();
  const path = join(stage.folder, "left");
  const script = join(stage.folder, "left.mjs");
  await writeFile(
    script,
    `import net from "node:net"; net.createServer().listen(${JSON.stringify(path)}, () => process.send("up"));`,
  );
  const child = fork(script);
  await once(child, "message");
  child.kill("SIGKILL");
  await once(child, "exit");

  await using server = await another(stage);
  await server.listenUnix(path);

  expect(await askJson({ socketPath: path, token: tokens.view }, "/api/sessions")).toBeDefined();
});

test("[C3] an address at which another program listens is left to it", async () => {
  await using stage = await serveLane();
  await using server = await another(stage);

  await expect(server.listenUnix(stage.socketPath)).rejects.toMatchObject({ code: "address_in_use" });
  await expect(server.listenTcp({ port: stage.port })).rejects.toMatchObject({ code: "address_in_use" });

  expect(await askJson(stage.unix, "/api/sessions")).toBeDefined();
});

test("[W3] a socket path that does not fit and an address that others can reach are refused in words", async () => {
  await using stage = await serveLane();
  await using server = await another(stage);

  await expect(server.listenUnix(`/tmp/${"x".repeat(95)}`)).rejects.toMatchObject({
    code: "socket_path_too_long",
    message: /has 100 bytes, at most 99/,
  });
  await expect(server.listenTcp({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "not_loopback" });
});

test("[W3] told so, the server is reached by further names", async () => {
  await using stage = await serveLane();
  await using server = await another(stage);

  const { port, hosts } = await server.listenTcp({ host: "127.0.0.1", names: ["build.example:443"] });

  expect(hosts).toEqual([`127.0.0.1:${port}`, `localhost:${port}`, "build.example:443"]);
});

test("[C3] the same port can be had again after a close", async () => {
  await using stage = await serveLane();
  const { port } = stage;
  await stage.server.close();
  await using server = await another(stage);

  expect((await server.listenTcp({ port })).port).toBe(port);
});
