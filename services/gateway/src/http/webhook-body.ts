import { createSemaphore } from "@leeway/shared/concurrency/semaphore";
import { unavailable } from "@leeway/shared/values/errors";

import { readAtMost, readBeginning, readSmall, refuseDeclaredSize, sizeOf } from "./body.ts";

const MAX_BYTES = 5 * 1024 * 1024;
/** Bodies up to this size aren't counted. They are read in one go, which takes a third of the time. */
const MAX_SMALL_BYTES = 64 * 1024;
const PATIENCE = { totalMs: 10_000, stallMs: 5_000 };
/** Approximate number of bytes that Bun buffers of an unread body. */
const UNREAD_BYTES = 2 * 1024 * 1024;

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

/** Limits on the bytes of bodies in memory, and on the number of bodies being forwarded. */
export interface BodyBudget {
  /**
   * Waits until there is room for `bytes` more from this sender. No sender may hold, or wait for, more than is
   * left free for others.
   * @throws {AppError} `unavailable` if that takes too long, or at once if too much is waiting
   */
  acquire(bytes: number, sender: string): Promise<void>;
  release(bytes: number, sender: string): void;
  /** Runs `work` once fewer bodies are being forwarded. */
  forward<T>(work: () => Promise<T>): Promise<T>;
}

interface BudgetOptions {
  maxBytes: number;
  /** Limit on the buffered bytes of waiting bodies. */
  maxUnread: number;
  /** Maximum number of bodies being forwarded. */
  forwarded: number;
  patienceMs: number;
}

interface WaitingBody {
  bytes: number;
  go: () => void;
}

interface Sender {
  held: number;
  /** In order of arrival. */
  waiting: Set<WaitingBody>;
}

export function createBodyBudget({ maxBytes, maxUnread, forwarded, patienceMs }: BudgetOptions): BodyBudget {
  const slots = createSemaphore(forwarded);
  /** Senders that hold room or wait for it. */
  const senders = new Map<string, Sender>();
  let free = maxBytes;

  function hold(sender: Sender, bytes: number): void {
    sender.held += bytes;
    free -= bytes;
  }

  /**
   * Admits waiting bodies, starting with the sender that holds least. If that one doesn't fit, all others wait, too,
   * so that a large body isn't delayed forever.
   */
  function letIn(): void {
    for (;;) {
      const first = holdingLeast(senders.values());
      const [next] = first?.waiting ?? [];
      if (!first || !next || first.held + next.bytes > free) return;
      first.waiting.delete(next);
      hold(first, next.bytes);
      next.go();
    }
  }

  function leave(name: string, { held, waiting }: Sender): void {
    if (held === 0 && waiting.size === 0) senders.delete(name);
    letIn();
  }

  return {
    acquire(bytes, name) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sender = senderOf(senders, name);
      const body = { bytes, go: resolve };
      const giveUp = (): void => {
        sender.waiting.delete(body);
        reject(unavailable("the server is receiving too many large bodies; retry in a moment"));
        leave(name, sender);
      };
      const timer = setTimeout(giveUp, patienceMs);
      sender.waiting.add(body);
      letIn();
      if (sender.waiting.has(body) && unreadWith(body, sender, senders) > maxUnread) giveUp();
      return promise.finally(() => clearTimeout(timer));
    },
    release(bytes, name) {
      const sender = senderOf(senders, name);
      hold(sender, -bytes);
      leave(name, sender);
    },
    forward: slots.within,
  };
}

function senderOf(senders: Map<string, Sender>, name: string): Sender {
  const known = senders.get(name) ?? { held: 0, waiting: new Set() };
  senders.set(name, known);
  return known;
}

/** Returns the waiting sender that holds least. */
function holdingLeast(senders: Iterable<Sender>): Sender | undefined {
  const [least] = [...senders].filter(({ waiting }) => waiting.size > 0).toSorted((a, b) => a.held - b.held);
  return least;
}

/**
 * Returns the unread bytes of all waiting bodies, counting the sender's other bodies twice. A sender that waits for
 * much thus leaves as much to others.
 */
function unreadWith(body: WaitingBody, { waiting }: Sender, senders: ReadonlyMap<string, Sender>): number {
  const all = [...senders.values()].flatMap((sender) => [...sender.waiting]);
  return unreadOf(all) + unreadOf([...waiting]) - unreadOf([body]);
}

function unreadOf(bodies: readonly WaitingBody[]): number {
  return bodies.reduce((sum, { bytes }) => sum + Math.min(bytes, UNREAD_BYTES), 0);
}
