import { AppError } from "@leeway/shared/errors";

/** Of one organization at one gateway: each takes half a megabyte of it, for a quarter of an hour at most. */
const MOST_UPLOADS = 64;
const RETRY_AFTER_SECONDS = 5;

/** Places for the uploads that come in at the same time. */
export interface UploadPlaces {
  /** @throws {AppError} `rate_limited` when the organization has all its places taken */
  within<T>(orgId: string, work: () => Promise<T>): Promise<T>;
}

export function createUploadPlaces(): UploadPlaces {
  const taken = new Map<string, number>();
  return {
    async within(orgId, work) {
      const before = taken.get(orgId) ?? 0;
      if (before >= MOST_UPLOADS) {
        const message = `${MOST_UPLOADS} uploads of the organization are under way`;
        throw new AppError("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
      }
      taken.set(orgId, before + 1);
      try {
        return await work();
      } finally {
        const left = (taken.get(orgId) ?? 1) - 1;
        if (left === 0) taken.delete(orgId);
        else taken.set(orgId, left);
      }
    },
  };
}
