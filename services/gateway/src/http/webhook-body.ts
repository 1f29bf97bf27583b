import type { BodyBudget } from "./body-budget.ts";
import { readAtMost, readBeginning, readSmall, refuseDeclaredSize, sizeOf } from "./body.ts";

const MOST_BYTES = 5 * 1024 * 1024;
/** So little that it isn't worth counting: it is read in one go, which takes a third of the time. */
const MOST_SMALL_BYTES = 64 * 1024;
const PATIENCE = { totalMs: 10_000, stallMs: 5_000 };

/**
 * Runs `work` with the bytes of a webhook's body as they were sent. Large ones are read when `budget` has
 * room for them of their sender, whom nobody has verified yet, and passed on a few at a time.
 * @throws {AppError} `payload_too_large`, `request_timeout`, `unavailable`
 */
export async function withWebhookBody<T>(
  { request, sender }: { request: Request; sender: string },
  budget: BodyBudget,
  work: (body: Uint8Array) => Promise<T>,
): Promise<T> {
  refuseDeclaredSize(request, MOST_BYTES);
  const { body: stream } = request;
  if (!stream) return work(new Uint8Array(0));
  const announced = Number(request.headers.get("content-length") ?? Infinity);
  if (announced <= MOST_SMALL_BYTES) return work(await readSmall(request, PATIENCE.stallMs));
  const beginning = await readBeginning(stream, MOST_SMALL_BYTES, PATIENCE.stallMs);
  const readWhole = () => readAtMost(stream, MOST_BYTES, PATIENCE, beginning);
  if (sizeOf(beginning) <= MOST_SMALL_BYTES) return work(await readWhole());
  // Only now, since whoever trickles would hold the room that others wait for. All of it at once: bodies
  // that are each read in part would wait for each other.
  const bytes = Math.min(announced, MOST_BYTES);
  await budget.take(bytes, sender);
  try {
    const body = await readWhole();
    return await budget.inTurn(() => work(body));
  } finally {
    budget.give(bytes, sender);
  }
}
