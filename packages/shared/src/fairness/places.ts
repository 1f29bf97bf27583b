import { AppError } from "../errors.ts";

const RETRY_AFTER_SECONDS = 5;

/** Places for what somebody has under way at the same time: who has them all is refused, and nobody waits. */
export interface Places {
  /** Does `work` in a place of the owner's. @throws {AppError} `rate_limited` when all are taken */
  within<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

/** So many for each owner; `message` says of what. */
export function createPlaces(most: number, message: string): Places {
  const taken = new Map<string, number>();
  return {
    async within(owner, work) {
      const before = taken.get(owner) ?? 0;
      if (before >= most) {
        throw new AppError("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      taken.set(owner, before + 1);
      try {
        return await work();
      } finally {
        const left = (taken.get(owner) ?? 1) - 1;
        if (left === 0) taken.delete(owner);
        else taken.set(owner, left);
      }
    },
  };
}
