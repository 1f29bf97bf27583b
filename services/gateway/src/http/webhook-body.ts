import type { BodyBudget } from "./body-budget.ts";
import { readAtMost, readSmall, refuseDeclaredSize } from "./body.ts";

const MOST_BYTES = 5 * 1024 * 1024;
/** So little that it isn't worth counting: it is read in one go, which takes a third of the time. */
const MOST_SMALL_BYTES = 64 * 1024;
const PATIENCE = { totalMs: 10_000, stallMs: 5_000 };

/**
 * Runs `work` with the bytes of a webhook's body as they were sent, of which no more are in memory than
 * `budget` has room for.
 * @throws {AppError} `payload_too_large`, `request_timeout`, `unavailable`
 */
export async function withWebhookBody<T>(
  request: Request,
  budget: BodyBudget,
  work: (body: Uint8Array) => Promise<T>,
): Promise<T> {
  refuseDeclaredSize(request, MOST_BYTES);
  if (!request.body) return work(new Uint8Array(0));
  const announced = Number(request.headers.get("content-length") ?? Infinity);
  if (announced <= MOST_SMALL_BYTES) return work(await readSmall(request, PATIENCE.stallMs));
  let held = 0;
  const hold = (bytes: number): void => {
    budget.take(bytes);
    held += bytes;
  };
  try {
    return await work(await readAtMost(request.body, MOST_BYTES, PATIENCE, hold));
  } finally {
    budget.give(held);
  }
}
