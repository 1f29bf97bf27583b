import { createSlots, type Slots } from "@leeway/shared/fairness/slots";
import { unavailable } from "@leeway/shared/errors";

/** How many bytes of bodies may be in memory at once, and how many bodies may be passed on at once. */
export interface BodyBudget {
  /**
   * Waits until there is room for `bytes` more of a sender's: who has much of it gets no more than is left free for others.
   * @throws {AppError} `unavailable` when that takes too long
   */
  take(bytes: number, sender: string): Promise<void>;
  give(bytes: number, sender: string): void;
  /** Runs `work` when it is its turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

interface BudgetOptions {
  mostBytes: number;
  /** How many bodies are passed on at once. */
  turns: number;
  patienceMs: number;
}

interface Wish {
  bytes: number;
  go: () => void;
}

interface Sender {
  held: number;
  /** In the order of asking. */
  waiting: Set<Wish>;
}

export function createBodyBudget({ mostBytes, turns, patienceMs }: BudgetOptions): BodyBudget {
  const slots = createSlots(turns);
  /** Those who hold something or wait. */
  const senders = new Map<string, Sender>();
  let free = mostBytes;

  function senderOf(name: string): Sender {
    const known = senders.get(name) ?? { held: 0, waiting: new Set() };
    senders.set(name, known);
    return known;
  }

  function hold(sender: Sender, bytes: number): void {
    sender.held += bytes;
    free -= bytes;
  }

  /** First who holds least. While there is no room for them nobody passes, so that a large one doesn't wait for ever. */
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
    take(bytes, name) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const sender = senderOf(name);
      const wish = { bytes, go: resolve };
      const timer = setTimeout(() => {
        sender.waiting.delete(wish);
        reject(unavailable("too many bodies are being received"));
        leave(name, sender);
      }, patienceMs);
      sender.waiting.add(wish);
      letIn();
      return promise.finally(() => clearTimeout(timer));
    },
    give(bytes, name) {
      const sender = senderOf(name);
      hold(sender, -bytes);
      leave(name, sender);
    },
    inTurn: (work) => inSlot(slots, work),
  };
}

/** Of those who wait. */
function holdingLeast(senders: Iterable<Sender>): Sender | undefined {
  const [least] = [...senders].filter(({ waiting }) => waiting.size > 0).toSorted((a, b) => a.held - b.held);
  return least;
}

async function inSlot<T>(slots: Slots, work: () => Promise<T>): Promise<T> {
  await slots.take();
  try {
    return await work();
  } finally {
    slots.give();
  }
}
