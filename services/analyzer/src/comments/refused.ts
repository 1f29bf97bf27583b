import type { Refused } from "@leeway/shared/contracts/webhooks/comments";
import { AppError } from "@leeway/shared/values/errors";

/** Returns the error for a code host that is temporarily unavailable, with the pause it asked for. */
export function refusedForNow({ retry_after_seconds: retryAfterSeconds = 1 }: Refused): AppError {
  return new AppError("unavailable", "can't reach the code host", { retryAfterSeconds });
}
