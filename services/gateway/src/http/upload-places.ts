import { AppError } from "@leeway/shared/errors";

/**
 * Of one organization at one gateway, or of whoever asks for none: each takes half a megabyte of it for a quarter of an hour at
 * most, or as JSON one for half a minute.
 */
const MOST_UPLOADS = 64;
const RETRY_AFTER_SECONDS = 5;

/** Places for the uploads that come in at the same time. */
export interface UploadPlaces {
  /** @throws {AppError} `rate_limited` when the organization, or the caller, has all places taken */
  within<T>(owner: string, work: () => Promise<T>): Promise<T>;
}

export function createUploadPlaces(): UploadPlaces {
  const taken = new Map<string, number>();
  return {
    async within(owner, work) {
      const before = taken.get(owner) ?? 0;
      if (before >= MOST_UPLOADS) {
        const message = `${MOST_UPLOADS} large bodies of yours are coming in`;
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
