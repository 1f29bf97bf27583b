import { createSlots } from "@leeway/shared/fairness/slots";
import { unavailable } from "@leeway/shared/errors";

/** How many bytes of bodies may be in memory at once, and how many bodies may be passed on at once. */
export interface BodyBudget {
  /** Waits until there is room for `bytes` more. @throws {AppError} `unavailable` when that takes too long */
  take(bytes: number): Promise<void>;
  give(bytes: number): void;
  /** Runs `work` when it is its turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

interface BudgetOptions {
  mostBytes: number;
  /** How many bodies are passed on at once. */
  turns: number;
  patienceMs: number;
}

export function createBodyBudget({ mostBytes, turns, patienceMs }: BudgetOptions): BodyBudget {
  const slots = createSlots(turns);
  const waiting = new Set<{ bytes: number; go: () => void }>();
  let held = 0;

  /** In the order of asking, so that a large one isn't passed over for ever. */
  function letIn(): void {
    for (const next of waiting) {
      if (held + next.bytes > mostBytes) return;
      held += next.bytes;
      waiting.delete(next);
      next.go();
    }
  }

  return {
    take(bytes) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const wish = { bytes, go: resolve };
      const timer = setTimeout(() => {
        waiting.delete(wish);
        reject(unavailable("too many bodies are being received"));
        letIn();
      }, patienceMs);
      waiting.add(wish);
      letIn();
      return promise.finally(() => clearTimeout(timer));
    },
    give(bytes) {
      held -= bytes;
      letIn();
    },
    async inTurn(work) {
      await slots.take();
      try {
        return await work();
      } finally {
        slots.give();
      }
    },
  };
}
