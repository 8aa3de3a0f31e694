/** Where in the inputs of executions writes begin that are under way, so that one whose answer was lost can be made again. */
export interface InputPlaces {
  /** The place of the next write, which then begins behind it. `ask` tells how much the host has, where that is not known. */
  take(executionId: string, bytes: number, ask: () => Promise<number>): Promise<number>;
  /** The write did not happen, or it is not known whether it did. */
  giveBack(executionId: string): void;
  /** Nothing more will be written. */
  forget(executionId: string): void;
}

export function createInputPlaces(): InputPlaces {
  const places = new Map<string, Promise<number>>();
  return {
    take(executionId, bytes, ask) {
      const place = places.get(executionId) ?? ask();
      const next = place.then((at) => at + bytes);
      places.set(executionId, next);
      // Whoever writes next asks anew.
      next.catch(() => places.delete(executionId));
      return place;
    },
    giveBack: (executionId) => void places.delete(executionId),
    forget: (executionId) => void places.delete(executionId),
  };
}
