/** A limited number of places. Waiting callers take turns by key, so that one key's many don't delay another's few. */
export interface FairSemaphore {
  /**
   * Takes a place.
   * @returns undefined if a place was free, otherwise the turn to wait for
   */
  take(key: string): { turn: Promise<void>; cancel(): void } | undefined;
  /** Frees one of the key's places and grants it to the next key in turn. */
  giveBack(key: string): void;
}

/** @param each maximum number of places for one key */
export function createFairSemaphore(places: number, each = places): FairSemaphore {
  let free = places;
  const taken = new Map<string, number>();
  /** Waiting callers by key; the first key is next. */
  const waiting = new Map<string, Set<() => void>>();

  function mayTake(key: string): boolean {
    return free > 0 && (taken.get(key) ?? 0) < each;
  }

  function count(key: string, change: 1 | -1): void {
    free -= change;
    const own = (taken.get(key) ?? 0) + change;
    if (own === 0) taken.delete(key);
    else taken.set(key, own);
  }

  function giveToNext(): void {
    for (const [key, own] of waiting) {
      const [next] = own;
      if (!next || !mayTake(key)) continue;
      own.delete(next);
      waiting.delete(key);
      if (own.size > 0) waiting.set(key, own); // moves the key to the end
      count(key, 1);
      return next();
    }
  }

  return {
    take(key) {
      if (mayTake(key)) {
        count(key, 1);
        return undefined;
      }
      const { promise: turn, resolve } = Promise.withResolvers<void>();
      const own = waiting.get(key) ?? new Set();
      waiting.set(key, own.add(resolve));
      return {
        turn,
        cancel() {
          own.delete(resolve);
          if (own.size === 0 && waiting.get(key) === own) waiting.delete(key);
        },
      };
    },
    giveBack(key) {
      count(key, -1);
      giveToNext();
    },
  };
}
