/** A limited number of permits. Waiting callers take turns by key, so that one key's many don't delay another's few. */
export interface FairSemaphore {
  /**
   * Takes a permit.
   * @returns undefined if a permit was free, otherwise the promise of one
   */
  acquire(key: string): { granted: Promise<void>; cancel(): void } | undefined;
  /** Frees one of the key's permits and grants it to the next key in turn. */
  release(key: string): void;
}

/** @param each maximum number of permits for one key */
export function createFairSemaphore(permits: number, each = permits): FairSemaphore {
  let free = permits;
  const taken = new Map<string, number>();
  /** Waiting callers by key; the first key is next. */
  const waiting = new Map<string, Set<() => void>>();

  function mayAcquire(key: string): boolean {
    return free > 0 && (taken.get(key) ?? 0) < each;
  }

  function count(key: string, change: 1 | -1): void {
    free -= change;
    const own = (taken.get(key) ?? 0) + change;
    if (own === 0) taken.delete(key);
    else taken.set(key, own);
  }

  function grantNext(): void {
    for (const [key, own] of waiting) {
      const [next] = own;
      if (!next || !mayAcquire(key)) continue;
      own.delete(next);
      waiting.delete(key);
      if (own.size > 0) waiting.set(key, own); // moves the key to the end
      count(key, 1);
      return next();
    }
  }

  return {
    acquire(key) {
      if (mayAcquire(key)) {
        count(key, 1);
        return undefined;
      }
      const { promise: granted, resolve } = Promise.withResolvers<void>();
      const own = waiting.get(key) ?? new Set();
      waiting.set(key, own.add(resolve));
      return {
        granted,
        cancel() {
          own.delete(resolve);
          if (own.size === 0 && waiting.get(key) === own) waiting.delete(key);
        },
      };
    },
    release(key) {
      count(key, -1);
      grantNext();
    },
  };
}
