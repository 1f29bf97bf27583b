import type { Transaction } from "@leeway/shared/database/database";

import { lockMatching } from "./store/matches.ts";

/** If declarations keep changing, the last try prepares under the lock. */
const MAX_TRIES = 3;

/** A prepared change of matches. */
interface Prepared {
  /** Prepares the change again, from the current declarations. */
  prepareAgain(): Promise<void>;
}

/**
 * Prepares a change of matches without the lock, and then takes `lockMatching`. If the basis has changed by then, it
 * releases the lock and prepares again. The preparation must write nothing that other transactions see, or wait for
 * while they hold the lock.
 * @param basisOf returns the inputs of the preparation, as text
 */
export async function lockPrepared<T extends Prepared>(
  tx: Transaction,
  basisOf: () => Promise<string | undefined>,
  prepare: () => Promise<T>,
): Promise<T> {
  let basis = await basisOf();
  const prepared = await prepare();
  for (let tries = 1; tries < MAX_TRIES; tries += 1) {
    await tx`savepoint unlocked`;
    await lockMatching(tx);
    const now = await basisOf();
    if (now === basis) return prepared;
    await tx`rollback to savepoint unlocked`; // releases the lock
    basis = now;
    await prepared.prepareAgain();
  }
  await lockMatching(tx);
  if ((await basisOf()) !== basis) await prepared.prepareAgain();
  return prepared;
}
