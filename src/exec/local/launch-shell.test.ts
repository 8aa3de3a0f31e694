import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeProcesses } from "./fixtures/fake-processes.js";
import { openTestEnv } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";
import { launchShell } from "./launch-shell.js";
import { closeFifo, createFifoPool, mkfifoProgram } from "./pipes/fifo-pool.js";

let place: TestEnv;
beforeEach(() => {
  place = openTestEnv();
});
afterEach(() => place.close());

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;

test("[X11] a shell that the system refuses to run is told, and its pipes are closed", async () => {
  const shell = join(place.folder, "broken-shell");
  writeFileSync(shell, "#!/no/such/interpreter\n");
  chmodSync(shell, 0o700);
  const own = openTestEnv({ shell });
  await own.run("true");
  const before = openDescriptors();

  const { error } = await own.run("true");

  expect(error).toMatchObject({ code: "spawn_failed", result: undefined });
  expect(error.message).toContain(`cannot start the shell ${shell} in ${own.folder}`);
  // One execution's pipes were taken out of the pool and closed.
  expect(openDescriptors()).toBe(before - 4);
  expect(await own.env.list()).toEqual([]);
  await own.close();
});

test("[X11] a spawn that throws is told, and its pipes are closed", async () => {
  const fifos = createFifoPool(place.folder, mkfifoProgram(process.env));
  (await fifos.take(2)).forEach(closeFifo);
  const before = openDescriptors();
  const cause = Object.assign(new Error("spawn EAGAIN"), { code: "EAGAIN" });
  const { table } = createFakeProcesses([]);

  const launch = launchShell(
    { shellPath: "/bin/sh", command: "true", cwd: place.folder, environment: {}, hasInput: false },
    {
      fifos,
      table,
      spawn() {
        throw cause;
      },
    },
  );

  await expect(launch).rejects.toMatchObject({ code: "spawn_failed", cause });
  expect(openDescriptors()).toBe(before - 4);
  await fifos.close();
});

test("[X16] pipes that cannot be made are told with their folder", async () => {
  const own = openTestEnv({ home: join(place.folder, "none") });

  const { error } = await own.run("true");
  await own.close();

  expect(error.code).toBe("spawn_failed");
  expect(error.message).toContain(join(place.folder, "none"));
});

test("[X9] the shell that was asked for runs the command", async () => {
  const own = openTestEnv({ shell: "sh" });

  expect((await own.run("echo $0")).text).toMatch(/\/sh\n$/);
  await own.close();
});

test.each(["bash", "sh"])(
  "[X9] a command that begins as an option does is a command all the same: %s",
  async (shell) => {
    const own = openTestEnv({ shell });

    expect((await own.run("-x 2>&1; echo hi")).text).toMatch(/: -x: .*not found\nhi\n$/);
    expect((await own.run("+e 2>&1; echo hi $0")).text).toMatch(/: \+e: .*not found\nhi \S*sh\n$/);
    expect((await own.run("--help; exit 7")).value.exitCode).toBe(7);
    await own.close();
  },
);
