import type { BodyBudget } from "./body-budget.ts";
import { readAtMost, readBeginning, readSmall, refuseDeclaredSize, sizeOf } from "./body.ts";

const MAX_BYTES = 5 * 1024 * 1024;
/** Bodies up to this size aren't counted. They are read in one go, which takes a third of the time. */
const MAX_SMALL_BYTES = 64 * 1024;
const PATIENCE = { totalMs: 10_000, stallMs: 5_000 };

/**
 * Runs `work` with the bytes of a webhook's body as they were sent. Large bodies are read when `budget` has room for
 * their still unverified sender, and forwarded a few at a time.
 * @throws {AppError} `payload_too_large`, `request_timeout`, `unavailable`
 */
export async function withWebhookBody<T>(
  { request, sender }: { request: Request; sender: string },
  budget: BodyBudget,
  work: (body: Uint8Array) => Promise<T>,
): Promise<T> {
  refuseDeclaredSize(request, MAX_BYTES);
  const { body: stream } = request;
  if (!stream) return work(new Uint8Array(0));
  const announced = Number(request.headers.get("content-length") ?? Infinity);
  if (announced <= MAX_SMALL_BYTES) return work(await readSmall(request, PATIENCE.stallMs));
  const beginning = await readBeginning(stream, MAX_SMALL_BYTES, PATIENCE.stallMs);
  const readWhole = () => readAtMost(stream, MAX_BYTES, PATIENCE, beginning);
  if (sizeOf(beginning) <= MAX_SMALL_BYTES) return work(await readWhole());
  // Takes room only now, because a slow sender would hold room that others wait for. Takes all of it at once, because
  // partly read bodies would wait for each other.
  const bytes = Math.min(announced, MAX_BYTES);
  await budget.acquire(bytes, sender);
  try {
    const body = await readWhole();
    return await budget.forward(() => work(body));
  } finally {
    budget.release(bytes, sender);
  }
}
