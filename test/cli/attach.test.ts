import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage, RunningCli } from "./support/built-cli.js";
import { findSession, listState, readState } from "./support/sessions.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

/** Ten lines a second until a file says that it is enough. */
const steady = "n=0; until [ -e enough ]; do n=$((n + 1)); echo line $n; sleep 0.1; done; echo last";

async function startSteady(...options: string[]): Promise<{ running: RunningCli; id: string }> {
  const running = stage.start(["run", ...options, "--", steady]);
  await running.said(/line 3\n/);
  return { running, id: await findSession(stage) };
}

async function enough(): Promise<void> {
  await stage.shell("touch enough");
}

test("[R18] attach shows what another process runs, and ends with it", async () => {
  const { running } = await startSteady();
  const attached = stage.start(["attach"]);
  await attached.said(/line 6\n/);

  await enough();
  const [run, seen] = await Promise.all([running.ended, attached.ended]);

  expect(seen.code).toBe(0);
  expect(seen.stdout).toBe(run.stdout);
  expect(seen.stdout).toMatch(/^line 1\nline 2\n[^]*\nlast\n$/);
  expect(seen.stderr).toMatch(/^spillway: session \w+ ended: completed\n$/);
});

test("[R18] Ctrl-C leaves, and what was watched goes on", async () => {
  const { running, id } = await startSteady();
  const attached = stage.start(["attach", id]);
  await attached.said(/line 4\n/);

  attached.kill("SIGINT");
  const left = await attached.ended;
  await enough();

  expect(left.code).toBe(130);
  expect(left.stderr).toContain("which goes on");
  expect((await running.ended).code).toBe(0);
});

test.each([
  ["Ctrl-C", "\u0003", 130],
  ["Ctrl-\\", "\u001c", 131],
] as const)("[R18] %s on a terminal leaves and gives the terminal back", async (_name, key, code) => {
  const { running, id } = await startSteady();
  const attached = stage.startOnTerminal(["attach", id]);
  await attached.said(/line 4[^]*\d s/);

  attached.type(key);
  const left = await attached.ended;
  await enough();

  expect(left.code).toBe(code);
  expect(left.stdout).toContain("which goes on");
  expect(left.stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(left.stdout.lastIndexOf("\u001b[?25l"));
  expect((await running.ended).code).toBe(0);
});

test("[R18] [C3] attach without a process shows what is stored and ends", async () => {
  await stage.start(["run", "--quiet", "--", "seq 3; exit 5"]).ended;

  const attached = await stage.start(["attach"]).ended;

  expect(attached).toMatchObject({ code: 0 });
  expect(attached.stdout).toMatch(/^1\n2\n3\n/);
  expect(attached.stderr).toContain("no process runs session");
});

test("[R18] as JSON the batches of any number of connections are one stream", async () => {
  const { running, id } = await startSteady();
  const attached = stage.start(["attach", id, "--json"]);
  await attached.said(/line 6/);
  await enough();
  await running.ended;

  const lines = parseLines((await attached.ended).stdout);

  expect(lines[0]).toEqual({ type: "open", session: id, operation: expect.stringMatching(/^op_/) as string });
  expect(lines.at(-1)).toMatchObject({ type: "end", operation: { state: "completed" } });
  const seqs = lines.filter(({ type }) => type === "batch").map(({ seq }) => Number(seq));
  expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
});

test("[C2] [C3] who watches a run that is killed with -9 sees the end that resume gives it, without being called again", async () => {
  const { running, id } = await startSteady();
  const attached = stage.start(["attach", id]);
  await attached.said(/line 5\n/);

  running.kill("SIGKILL");
  await running.ended;
  await attached.said(/the connection was lost/);
  const resumed = await stage.start(["resume", id]).ended;
  const seen = await attached.ended;

  expect(resumed.code).toBe(1);
  expect(seen.code).toBe(1);
  expect(seen.stderr).toContain("connected again");
  expect(seen.stderr).toContain(`session ${id} ended: interrupted, The process that ran the operation ended`);
  expect(seen.stdout).toMatch(/^line 1\n[^]*\n.*Interrupted: /);
  expect(listState(stage, "run")).toEqual([]);
});

test("[C3] a session that ended while its viewer was cut off is shown as it is stored", async () => {
  const { running, id } = await startSteady();
  const attached = stage.start(["attach", id]);
  await attached.said(/line 5\n/);
  process.kill(attached.pid, "SIGSTOP");
  running.kill("SIGKILL");
  await running.ended;
  // Nobody comes back to it in time: its file says that it was watched, so it waits 15 s at most.
  const resumed = stage.start(["resume", id]);
  await resumed.said(/is settled as interrupted/);
  resumed.kill("SIGKILL");
  await resumed.ended;
  process.kill(attached.pid, "SIGCONT");

  const seen = await attached.ended;

  expect(seen.code).toBe(1);
  expect(seen.stderr).toContain(`this is what is stored of it (interrupted)`);
});

interface Served {
  readonly origin: string;
  readonly view: string;
  readonly control: string;
}

async function get({ origin, view }: Served, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${view}`, ...headers } });
}

async function startServing(): Promise<{ server: RunningCli; served: Served }> {
  const server = stage.start(["serve", "--json"]);
  await server.said(/\{.*\}\n/);
  const { origin, tokens } = JSON.parse(/^\{.*\}$/m.exec(server.output)?.[0] ?? "") as {
    origin: string;
    tokens: Omit<Served, "origin">;
  };
  return { server, served: { origin, ...tokens } };
}

test("[R19] [W3] serve shows sessions that run and those that do not, to who has its token, and stops what runs for control", async () => {
  await stage.start(["run", "--quiet", "--", "seq 100000"]).ended;
  const old = await findSession(stage);
  const { server, served } = await startServing();
  const running = stage.start(["run", "--", steady]);
  await running.said(/line 3\n/);

  const { sessions } = (await (await get(served, "/api/sessions")).json()) as {
    sessions: { id: string; state: string }[];
  };
  const live = sessions.find(({ state }) => state === "running")?.id ?? "";
  const stranger = await fetch(`${served.origin}/api/sessions`);
  const stored = await get(served, `/api/sessions/${old}/lanes/main/entries`);
  const { entries } = (await stored.json()) as {
    entries: { type: string; operationId: string; toolCallId?: string }[];
  };
  const call = entries.find(({ type }) => type === "tool");
  const output = await get(
    served,
    `/api/sessions/${old}/operations/${call?.operationId}/calls/${call?.toolCallId}/output`,
    {
      range: "bytes=0-5",
    },
  );
  const abort = (token: string): Promise<Response> =>
    fetch(`${served.origin}/api/sessions/${live}/lanes/main/abort`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", origin: served.origin },
      body: JSON.stringify({ reason: "seen enough" }),
    });

  expect(sessions.map(({ state }) => state)).toEqual(["running", "closed"]);
  expect(stranger.status).toBe(401);
  expect([output.status, await output.text()]).toEqual([206, "1\n2\n3\n"]);
  expect((await abort(served.view)).status).toBe(403);
  expect((await abort(served.control)).status).toBe(202);
  const ended = await running.ended;
  expect(ended.stdout).toMatch(/seen enough/);
  server.kill("SIGINT");
  expect((await server.ended).code).toBe(0);
});

test("[R19] [C3] a viewer of serve is given over to the process that resumes a session", async () => {
  const { running, id } = await startSteady();
  running.kill("SIGKILL");
  await running.ended;
  const { server, served } = await startServing();
  const stream = await get(served, `/api/sessions/${id}/lanes/main/facets/chat`);
  const text = stream.text().catch((error: unknown) => String(error));
  await stage.start(["resume", id]).ended;

  // What is shown of an operation that was left behind has no end: its viewer is cut and comes again.
  expect(await text).not.toContain("event: end");
  const again = await (await get(served, `/api/sessions/${id}/lanes/main/facets/chat`)).text();
  expect(again).toContain("event: end");
  expect(again).toContain('"interrupted"');
  server.kill("SIGTERM");
  expect((await server.ended).code).toBe(143);
});

test("[R20] run --web prints where its page is; the run file alone holds the tokens, and nobody else reads it", async () => {
  const { running, id } = await startSteady("--web");
  const [, origin = "", token = ""] =
    /watch it at +(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)\n/.exec(running.output) ?? [];
  const answer = await fetch(`${origin}/api/sessions/${id}`, { headers: { authorization: `Bearer ${token}` } });
  const { tokens } = JSON.parse(readState(stage, "run", `${id}.json`)) as { tokens: { view: string } };
  await enough();
  await running.ended;

  expect(answer.status).toBe(200);
  expect(tokens.view).toBe(token);
  const logs = listState(stage, "sessions")
    .map((name) => readState(stage, "sessions", name))
    .join("");
  expect(logs).not.toContain(token);
});
