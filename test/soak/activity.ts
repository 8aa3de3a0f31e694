import { setTimeout as sleep } from "node:timers/promises";
import { HarnessError } from "../../src/harness/index.js";
import type { Harness, Lane } from "../../src/harness/index.js";
import { commandText, planCommand } from "./commands.js";
import { fingerprint } from "./fingerprint.js";
import { makePlan, planText } from "./plan.js";
import { writeNote } from "./world.js";
import type { World } from "./world.js";

export interface ActivityOptions {
  readonly world: World;
  readonly life: number;
  readonly harness: Harness;
  readonly random: () => number;
  readonly isLast: boolean;
  readonly onLane: (lane: Lane) => void;
}

const FIRST_LANES = ["main", "side"];
const MAX_LANES = 5;
const CALLS_LANE = "calls";
/** What a lane may come to hold: a longer one tells nothing new and takes longer to check. */
const MAX_ENTRIES = 60;

/** What people and programs do with a session, at random moments. */
export class Activity {
  readonly #options: ActivityOptions;
  #count = 0;

  constructor(options: ActivityOptions) {
    this.#options = options;
  }

  /** Without end, or, in the last life, until nothing runs any more. */
  async run(recovered: Promise<unknown>): Promise<void> {
    const { harness, isLast, onLane, random } = this.#options;
    if (!isLast) for (const id of [...FIRST_LANES, CALLS_LANE]) onLane(harness.lane(id));
    let isRecovering = true;
    const over = (): void => void (isRecovering = false);
    recovered.then(over, over);
    for (;;) {
      for (const lane of harness.lanes()) await this.#tryTo(() => this.#act(lane));
      if (isLast && !isRecovering && harness.lanes().every((lane) => lane.view().operation === null)) return;
      await sleep(10 + random() * 60);
    }
  }

  async #act(lane: Lane): Promise<void> {
    const { isLast, random } = this.#options;
    const { operation, transcript } = lane.view();
    for (const tool of operation?.tools ?? []) {
      if (tool.pendingApproval !== undefined && (isLast || random() < 0.3)) await this.#decide(lane, tool.id);
    }
    if (isLast || transcript.length > MAX_ENTRIES) return;
    const kind = random();
    if (lane.id === CALLS_LANE) {
      if (kind < 0.15) await this.#call(lane);
    } else if (operation === null || operation.abandoned === true) {
      if (kind < 0.5) await this.#prompt(lane);
      else if (kind < 0.6) await this.#fork(lane);
    } else if (kind < 0.02) this.#abort(lane, operation.id);
    else if (kind < 0.08) await this.#say(lane, "steer");
    else if (kind < 0.14) await this.#say(lane, "followUp");
  }

  async #prompt(lane: Lane): Promise<void> {
    const { world, random } = this.#options;
    const plan = makePlan(world, random, this.#newId("p"));
    writeNote(world, { type: "prompting", lane: lane.id, plan: plan.id });
    const operation = await lane.prompt(planText(plan));
    writeNote(world, { type: "prompted", lane: lane.id, operation: operation.id, plan: plan.id });
    operation.settled.then(
      ({ status }) => writeNote(world, { type: "settled", lane: lane.id, operation: operation.id, status }),
      () => undefined,
    );
  }

  async #call(lane: Lane): Promise<void> {
    const { world, random } = this.#options;
    const command = commandText(world, planCommand(random, this.#newId("d")));
    const call = await lane.call("bash", { command });
    writeNote(world, { type: "called", lane: lane.id, call: call.toolCallId });
    call.settled.catch((error: unknown) =>
      writeNote(world, { type: "violation", rule: "H9", place: `call ${call.toolCallId}: ${String(error)}` }),
    );
  }

  async #fork(lane: Lane): Promise<void> {
    const { world, harness, random, onLane } = this.#options;
    const { transcript } = lane.view();
    const index = Math.floor(random() * transcript.length);
    const entry = transcript[index];
    if (entry === undefined || harness.lanes().length >= MAX_LANES) return;
    const to = this.#newId("f").replaceAll("-", "_");
    const prefix = fingerprint(transcript.slice(0, index + 1));
    onLane(await harness.forkLane(lane.id, entry.id, to));
    writeNote(world, { type: "forked", from: lane.id, to, entry: entry.id, prefix });
  }

  async #say(lane: Lane, kind: "steer" | "followUp"): Promise<void> {
    const { world, random } = this.#options;
    const { id } = await lane[kind](`${kind} ${this.#newId("m")}`);
    writeNote(world, { type: "queued", lane: lane.id, id });
    if (random() > 0.2) return;
    writeNote(world, { type: "withdrawing", id });
    if (await lane.withdraw(id)) writeNote(world, { type: "withdrawn", id });
  }

  async #decide(lane: Lane, call: string): Promise<void> {
    const { world, random } = this.#options;
    const decision = random() < 0.8 ? "allow" : "deny";
    await lane.approve(call, { decision });
    writeNote(world, { type: "decided", call, decision });
  }

  #abort(lane: Lane, operation: string): void {
    const { world } = this.#options;
    writeNote(world, { type: "aborting", lane: lane.id, operation });
    const begun = performance.now();
    const stop = lane.subscribe({
      open: () => undefined,
      receive: (group) => {
        if (!group.some((event) => event.type === "operation_end" && event.operationId === operation)) return;
        stop();
        writeNote(world, { type: "aborted", operation, ms: performance.now() - begun });
      },
      end: () => undefined,
    });
    lane.abort("someone stopped it");
  }

  /** What came a moment too late is refused in words of the harness, which is as it should be. */
  async #tryTo(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (error instanceof HarnessError && LATE.includes(error.code)) return;
      throw error;
    }
  }

  #newId(kind: string): string {
    this.#count += 1;
    return `${kind}${this.#options.life}-${this.#count}`;
  }
}

const LATE: readonly string[] = ["lane_busy", "lane_idle", "unsettled", "unknown_approval", "queue_full"];
