import { join } from "node:path";
import { contextOf } from "../../../src/cli/context.js";
import type { CliContext } from "../../../src/cli/context.js";
import { serveSession } from "../../../src/cli/host/session-server.js";
import { openSessionEnv } from "../../../src/cli/session/session-env.js";
import { openWritableStore } from "../../../src/cli/session/store.js";
import { openWorkSession } from "../../../src/cli/session/work-session.js";
import type { Lane } from "../../../src/harness/index.js";
import { createScriptedModel, parseScript } from "../../../src/models/index.js";
import type { Json } from "../../../src/protocol/index.js";
import type { CliStage } from "./built-cli.js";

/** A session of this process that asks before it runs a command, served as `run` serves one. */
export interface AskingHost extends AsyncDisposable {
  readonly session: string;
  readonly lane: Lane;
  /** Resolves once so many calls wait, and gives their ids. */
  waiting(count: number): Promise<string[]>;
  /** Ends the session as its process would when it has nothing more to do. */
  end(): Promise<void>;
}

/** Its model calls bash with each of the lists of commands in its turn, and then says that it is done. */
export async function openAskingHost(
  stage: CliStage,
  turns: readonly (readonly string[])[],
  { takesMessages = true } = {},
): Promise<AskingHost> {
  const environment = { ...process.env, SPILLWAY_HOME: join(stage.home, "state") };
  const context: CliContext = { ...contextOf(process), environment, cwd: stage.home };
  const store = openWritableStore(context);
  const session = "s_asks";
  const storage = await store.storage.create(session);
  const limits = { retain: "tail", maxBytes: 51_200, maxLines: 2_000 } as const;
  const settings = { cwd: stage.home, env: "in-process", limits, passedVariables: [] } as const;
  const call = (command: string): { [key: string]: Json } => ({ type: "toolCall", name: "bash", args: { command } });
  const script = {
    version: 1,
    turns: [...turns.map((commands) => commands.map(call)), [{ type: "text", text: "Done." }]],
  };
  const work = await openWorkSession(
    {
      store,
      storage,
      env: await openSessionEnv(store, session, settings, context),
      model: createScriptedModel(parseScript(script)),
      takesMessages,
      settings,
      sweeping: Promise.resolve(),
      isNew: true,
    },
    context,
  );
  await work.harness.setPolicy({ tools: { bash: "ask" }, others: "allow" });
  const faults: string[] = [];
  const server = await serveSession(work, {
    places: store.places,
    previous: undefined,
    warn: (text) => faults.push(text),
  });
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ending ??= work.close().then(() => server.close());
    return ending;
  };
  return {
    session,
    lane: work.lane,
    async waiting(count) {
      for (;;) {
        const tools = work.lane.view().operation?.tools ?? [];
        const ids = tools.filter((tool) => tool.pendingApproval !== undefined).map(({ id }) => id);
        if (ids.length === count) return ids;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    end,
    async [Symbol.asyncDispose]() {
      await end();
      if (faults.length > 0) throw new Error(faults.join("\n"));
    },
  };
}
