import { createSlots, type Slots } from "@leeway/shared/fairness/slots";
import { unavailable } from "@leeway/shared/errors";

/** Bun takes in about so much of a body that nobody reads yet. */
const UNREAD_BYTES = 2 * 1024 * 1024;

/** How many bytes of bodies may be in memory at once, and how many bodies may be passed on at once. */
export interface BodyBudget {
  /**
   * Waits until there is room for `bytes` more of a sender's: who has much of it, or much that waits, gets no more than is left
   * free for others.
   * @throws {AppError} `unavailable` when that takes too long, or at once when too much waits
   */
  take(bytes: number, sender: string): Promise<void>;
  give(bytes: number, sender: string): void;
  /** Runs `work` when it is its turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

interface BudgetOptions {
  mostBytes: number;
  /** Bytes of bodies that wait, as far as they are in memory. */
  mostUnread: number;
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

export function createBodyBudget({ mostBytes, mostUnread, turns, patienceMs }: BudgetOptions): BodyBudget {
  const slots = createSlots(turns);
  /** Those who hold something or wait. */
  const senders = new Map<string, Sender>();
  let free = mostBytes;

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
      const sender = senderOf(senders, name);
      const wish = { bytes, go: resolve };
      const giveUp = (): void => {
        sender.waiting.delete(wish);
        reject(unavailable("too many bodies are being received"));
        leave(name, sender);
      };
      const timer = setTimeout(giveUp, patienceMs);
      sender.waiting.add(wish);
      letIn();
      if (sender.waiting.has(wish) && unreadWith(wish, sender, senders) > mostUnread) giveUp();
      return promise.finally(() => clearTimeout(timer));
    },
    give(bytes, name) {
      const sender = senderOf(senders, name);
      hold(sender, -bytes);
      leave(name, sender);
    },
    inTurn: (work) => inSlot(slots, work),
  };
}

function senderOf(senders: Map<string, Sender>, name: string): Sender {
  const known = senders.get(name) ?? { held: 0, waiting: new Set() };
  senders.set(name, known);
  return known;
}

/** Of those who wait. */
function holdingLeast(senders: Iterable<Sender>): Sender | undefined {
  const [least] = [...senders].filter(({ waiting }) => waiting.size > 0).toSorted((a, b) => a.held - b.held);
  return least;
}

/** What waits, and what its sender has waiting beside it once more: who has much waiting leaves as much to others. */
function unreadWith(wish: Wish, { waiting }: Sender, senders: ReadonlyMap<string, Sender>): number {
  const all = [...senders.values()].flatMap((sender) => [...sender.waiting]);
  return unreadOf(all) + unreadOf([...waiting]) - unreadOf([wish]);
}

function unreadOf(wishes: readonly Wish[]): number {
  return wishes.reduce((sum, { bytes }) => sum + Math.min(bytes, UNREAD_BYTES), 0);
}

async function inSlot<T>(slots: Slots, work: () => Promise<T>): Promise<T> {
  await slots.take();
  try {
    return await work();
  } finally {
    slots.give();
  }
}
