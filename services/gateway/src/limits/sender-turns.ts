import { unavailable } from "@leeway/shared/errors";
import { createTurns } from "@leeway/shared/fairness/turns";

/** More than are stored together, so that commits are shared as well as without it. */
const PLACES = 128;
/** Each holds its body meanwhile, of 64 KiB at most. */
const MOST_OF_SENDER = 2_000;
/** Of which nobody gets more than are left free. */
const MOST = 4_000;
/** With what verifying takes, less than a code host waits for an answer. */
const PATIENCE_MS = 5_000;

/** Lets senders whom nobody has verified yet have their calls verified by turns: who sends many holds up their own. */
export interface SenderTurns {
  /** @throws {AppError} `unavailable` when the turn doesn't come, or too many of the sender's wait */
  within<T>(sender: string, work: () => Promise<T>): Promise<T>;
}

export function createSenderTurns(): SenderTurns {
  const turns = createTurns(PLACES);
  const callsOf = new Map<string, number>();
  let free = MOST;

  async function itsTurn(sender: string): Promise<void> {
    const wait = turns.take(sender);
    if (!wait) return;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      wait.cancel();
      reject(tooMany());
    }, PATIENCE_MS);
    await Promise.race([wait.turn, late]).finally(() => clearTimeout(timer));
  }

  function count(sender: string, change: 1 | -1): void {
    free -= change;
    const calls = (callsOf.get(sender) ?? 0) + change;
    if (calls === 0) callsOf.delete(sender);
    else callsOf.set(sender, calls);
  }

  return {
    async within(sender, work) {
      if ((callsOf.get(sender) ?? 0) >= Math.min(MOST_OF_SENDER, free)) throw tooMany();
      count(sender, 1);
      try {
        await itsTurn(sender);
        return await work().finally(() => turns.giveBack());
      } finally {
        count(sender, -1);
      }
    },
  };
}

function tooMany() {
  return unavailable("too many webhooks are under way");
}
