import { AppError, unavailable } from "../errors.ts";

const RETRY_AFTER_SECONDS = 5;

/** Places for what somebody has under way at the same time: who has too many is refused, and nobody waits. */
export interface Places {
  /**
   * Does `work` in a place of the owner's.
   * @throws {AppError} `rate_limited` when they have as many as they may, `unavailable` when none is left at all
   */
  within<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

interface PlacesOptions {
  each: number;
  /** Of which nobody gets more than are left free: a few owners don't take them all from the others. */
  all?: number;
  /** What takes a place, as whose many are counted: "plans of yours". */
  what: string;
}

export function createPlaces({ each, all = Infinity, what }: PlacesOptions): Places {
  const taken = new Map<string, number>();
  let free = all;

  function take(owner: string, change: 1 | -1): void {
    free -= change;
    const own = (taken.get(owner) ?? 0) + change;
    if (own === 0) taken.delete(owner);
    else taken.set(owner, own);
  }

  return {
    async within(owner, work) {
      if (free === 0) throw unavailable("too much is under way for all together");
      const own = taken.get(owner) ?? 0;
      if (own >= Math.min(each, free)) {
        const message = `${own} ${what} are under way`;
        throw new AppError("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      take(owner, 1);
      try {
        return await work();
      } finally {
        take(owner, -1);
      }
    },
  };
}
