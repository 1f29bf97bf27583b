import { createCounts } from "./counts.ts";

/** Promise of a permit. */
interface Wait {
  granted: Promise<void>;
  cancel(): void;
}

/** A limited number of permits. Waiting callers take turns by key, so that one key's many don't delay another's few. */
export interface FairSemaphore {
  /**
   * Takes a permit.
   * @returns undefined if a permit was free, otherwise the promise of one
   */
  acquire(key: string): Wait | undefined;
  /** Frees one of the key's permits and grants free ones to the next keys in turn. */
  release(key: string): void;
}

/** @param each maximum number of permits for one key, which may change */
export function createFairSemaphore(
  permits: number,
  each: (key: string) => number = () => permits,
): FairSemaphore {
  let free = permits;
  const taken = createCounts();
  /** Waiting callers by key; the first key is next. */
  const waiting = new Map<string, Set<() => void>>();

  function mayAcquire(key: string): boolean {
    return free > 0 && taken.of(key) < each(key);
  }

  function count(key: string, change: 1 | -1): void {
    free -= change;
    taken.add(key, change);
  }

  function grantFree(): void {
    for (const [key, own] of waiting) {
      if (free === 0) return;
      const [next] = own;
      if (!next || !mayAcquire(key)) continue;
      own.delete(next);
      waiting.delete(key);
      if (own.size > 0) waiting.set(key, own); // moves the key to the end, where this loop meets it again
      count(key, 1);
      next();
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
      grantFree();
    },
  };
}

/** Waits for a permit. @throws the error of `late` if the wait takes longer than `limitMs` */
export async function permitWithin(
  wait: Wait | undefined,
  limitMs: number,
  late: () => Error,
): Promise<void> {
  if (!wait) return;
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    wait.cancel();
    reject(late());
  }, limitMs);
  await Promise.race([wait.granted, over]).finally(() => clearTimeout(timer));
}
