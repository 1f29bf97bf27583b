import type { Refused } from "@leeway/shared/contracts/webhooks/comments";
import { AppError } from "@leeway/shared/errors";

/** Says that a code host took nothing for the moment, and for how long it wants to be left alone. */
export function refusedForNow({ retry_after_seconds: retryAfterSeconds = 1 }: Refused): AppError {
  return new AppError("unavailable", "the code host can't be reached", { retryAfterSeconds });
}
