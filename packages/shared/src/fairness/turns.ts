/** Places for so many at once. Who waits for one takes turns by key: one key's many don't hold up another's few. */
export interface Turns {
  /** @returns undefined when there is a place now, else what to wait for */
  take(key: string): { turn: Promise<void>; cancel(): void } | undefined;
  /** Leaves a place, to the next key's first. */
  giveBack(): void;
}

export function createTurns(places: number): Turns {
  let free = places;
  /** Those who wait by their key; the key whose turn is next comes first. */
  const waiting = new Map<string, Set<() => void>>();

  return {
    take(key) {
      if (free > 0) {
        free -= 1;
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
    giveBack() {
      for (const [key, own] of waiting) {
        const [next] = own;
        if (!next) continue;
        own.delete(next);
        waiting.delete(key);
        if (own.size > 0) waiting.set(key, own); // behind the others
        return next();
      }
      free += 1;
    },
  };
}
