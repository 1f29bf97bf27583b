import { AppError, unavailable } from "../values/errors.ts";
import { createCounts } from "./counts.ts";

const RETRY_AFTER_SECONDS = 5;

/** Concurrency limits by owner. Requests over the limit are refused; none waits. */
export interface ConcurrencyLimits {
  /**
   * Runs `work` within the owner's limit.
   * @throws {AppError} `rate_limited` if the owner is at its limit, `unavailable` if the total is reached
   */
  within<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

interface LimitOptions {
  each: number;
  /** Total number in progress. No owner gets more than are still free, so that a few owners can't take all. */
  all?: number;
  /** Names the work in the error message, as in "3 plans of yours are under way". */
  what: string;
}

export function createConcurrencyLimits({ each, all = Infinity, what }: LimitOptions): ConcurrencyLimits {
  const taken = createCounts();
  let free = all;

  function count(owner: string, change: 1 | -1): void {
    free -= change;
    taken.add(owner, change);
  }

  return {
    async within(owner, work) {
      if (free === 0) throw unavailable("too many requests are in progress; retry in a few seconds");
      const own = taken.of(owner);
      if (own >= Math.min(each, free)) {
        const message = `${own} ${what} are in progress, which is the limit; retry in a few seconds`;
        throw new AppError("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      count(owner, 1);
      try {
        return await work();
      } finally {
        count(owner, -1);
      }
    },
  };
}
