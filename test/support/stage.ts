import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalEnv } from "../../src/exec/index.js";
import type { LocalEnv } from "../../src/exec/index.js";
import { chatFacet, createFacetHost } from "../../src/facet/index.js";
import type { ChatState, EncodedMessage, FacetHost } from "../../src/facet/index.js";
import { openHarness } from "../../src/harness/index.js";
import type { Harness, Lane } from "../../src/harness/index.js";
import { createScriptedModel, parseScript } from "../../src/models/index.js";
import type { HarnessEvent } from "../../src/protocol/index.js";
import { createMemoryStorage } from "../../src/storage/index.js";
import type { SessionStorage } from "../../src/storage/index.js";
import type { AgentHarnessTool } from "../../src/tools/index.js";
import { createConsumer } from "../../src/wire/client/index.js";
import type { Consumer } from "../../src/wire/client/index.js";

/** Every layer, from a real shell to a consumer that gets nothing but JSON text. */
export interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly spillFolder: string;
  readonly env: LocalEnv;
  readonly storage: SessionStorage;
  readonly harness: Harness;
  readonly lane: Lane;
  readonly facet: FacetHost<ChatState>;
  readonly consumer: Consumer<ChatState>;
  /** All events of the lane, in order. */
  readonly events: readonly HarnessEvent[];
  /** All messages that the consumer was sent, in order. */
  readonly messages: readonly EncodedMessage[];
  /** Resolves once `condition` holds, looked at after every group of events. */
  until(condition: () => boolean): Promise<void>;
}

/**
 * Opens a session whose model calls `tool` once with `command` and then says that it is done. `environment` is what the
 * harness's own process has.
 */
export async function openStage(
  command: string,
  tool: AgentHarnessTool,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-stage-"));
  const spillFolder = join(folder, "spill");
  const env = createLocalEnv({ cwd: folder, environment, spillFolder });
  const storage = await createMemoryStorage().create("stage");
  const script = {
    version: 1,
    turns: [[{ type: "toolCall", name: tool.name, args: { command } }], [{ type: "text", text: "Done." }]],
  };
  const harness = await openHarness({
    storage,
    env,
    model: createScriptedModel(parseScript(script)),
    tools: [tool],
  });
  const lane = harness.lane();
  const facet = createFacetHost(chatFacet, () => lane.view());
  const consumer = createConsumer<ChatState>();
  const messages: EncodedMessage[] = [];
  facet.subscribe({
    receive: (message) => {
      messages.push(message);
      consumer.receive(JSON.parse(message.json));
    },
    end: () => {},
  });
  const { events, until } = follow(lane, facet);
  return {
    folder,
    spillFolder,
    env,
    storage,
    harness,
    lane,
    facet,
    consumer,
    events,
    messages,
    until,
    async [Symbol.asyncDispose]() {
      await harness.close();
      await env.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function follow(
  lane: Lane,
  facet: FacetHost<ChatState>,
): { events: HarnessEvent[]; until: (condition: () => boolean) => Promise<void> } {
  const events: HarnessEvent[] = [];
  let waiting: (() => void)[] = [];
  lane.subscribe({
    open: () => {},
    receive: (group) => {
      events.push(...group);
      facet.deliver(group);
      for (const look of waiting) look();
    },
    end: () => facet.close(),
  });
  return {
    events,
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          waiting = waiting.filter((one) => one !== look);
          resolve();
        };
        waiting = [...waiting, look];
        look();
      }),
  };
}
