import type { Clock } from "../clock.js";

/** Who is there for the executions of an owner. */
export interface Attendance {
  /** Somebody is there for all of them until the function it gives is called. */
  connect(): () => void;
  /** Somebody follows one. */
  follow(executionId: string): () => void;
  /** As if somebody followed it for a while: whoever began it or lost a link to it is about to. */
  expect(executionId: string): void;
  readonly isEmpty: boolean;
  isFollowed(executionId: string): boolean;
  stop(): void;
}

const EXPECT_MS = 10_000;

/** Calls `left` when the last one leaves, and `abandon` when nobody came for so long since, again and again. */
export function createAttendance(
  { clock, maxUnattendedMs }: { readonly clock: Clock; readonly maxUnattendedMs: number },
  left: () => void,
  abandon: () => void,
): Attendance {
  const followed = new Map<string, number>();
  let present = 0;
  let isStopped = false;
  let timer: { cancel(): void } | undefined;

  function arrive(): () => void {
    present += 1;
    timer?.cancel();
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      present -= 1;
      if (present > 0 || isStopped) return;
      wait();
      left();
    };
  }

  function wait(): void {
    timer = clock.after(maxUnattendedMs, () => {
      wait();
      abandon();
    });
  }

  function follow(executionId: string): () => void {
    const leave = arrive();
    followed.set(executionId, (followed.get(executionId) ?? 0) + 1);
    let gone = false;
    return () => {
      if (gone) return;
      gone = true;
      leave();
      const others = (followed.get(executionId) ?? 1) - 1;
      if (others > 0) followed.set(executionId, others);
      else followed.delete(executionId);
    };
  }

  return {
    connect: arrive,
    follow,
    expect(executionId) {
      clock.after(EXPECT_MS, follow(executionId));
    },
    get isEmpty() {
      return present === 0;
    },
    isFollowed: (executionId) => followed.has(executionId),
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
