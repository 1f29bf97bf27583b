import { currentContext, withContext } from "@leeway/shared/context";
import type { SlotDenial, SlotGrant } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";
import { counter } from "@leeway/shared/metrics";

import { denial, grant } from "../domain/gates.ts";
import { reserveSlots, type SlotCall } from "../store/slots.ts";

type Outcome = SlotGrant | SlotDenial;

/** Takes slots for jobs: calls that wait for the database together are decided together, in one statement. */
export interface Reserver {
  /** @throws {AppError} `unavailable` */
  reserve(call: SlotCall): Promise<Outcome>;
}

interface Waiting {
  call: SlotCall;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal | undefined;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

const MOST_TOGETHER = 128;
/** While one statement commits, the next is worked on. */
const MOST_UNDER_WAY = 2;
/** Longer than a job may take from its submission on: whoever holds a slot still then is dead. */
const HOLD_MINUTES = 15;

const decided = counter("slots_decided_total", "Calls for a slot, by what was decided", ["outcome"]);

export function createReserver(database: Database): Reserver {
  const queue: Waiting[] = [];
  let underWay = 0;

  async function work(): Promise<void> {
    if (underWay === MOST_UNDER_WAY) return;
    underWay += 1;
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST_TOGETHER);
      // Not in the context of whoever came first, whose going away would fail them all.
      await withContext({ requestId: crypto.randomUUID() }, () => decide(database, batch));
    }
    underWay -= 1;
  }

  return {
    reserve(call) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      queue.push({ call, signal: currentContext()?.signal, resolve, reject });
      // A moment later, with those that came at the same time.
      if (underWay < MOST_UNDER_WAY) setImmediate(() => void work());
      return promise;
    },
  };
}

/** Decides those of the calls that somebody still waits for; never fails. */
async function decide(database: Database, batch: readonly Waiting[]): Promise<void> {
  const isGone = ({ signal }: Waiting): boolean => signal?.aborted === true;
  for (const { reject } of batch.filter(isGone)) reject(unavailable("the caller is gone"));
  const waiting = batch.filter((one) => !isGone(one));
  if (waiting.length === 0) return;
  try {
    const calls = waiting.map(({ call }) => call);
    const decisions = await reserveSlots(database.system, calls, { holdMinutes: HOLD_MINUTES });
    for (const { call, resolve } of waiting) {
      const decision = decisions.get(call.orgId);
      if (!decision) throw new Error("a call without a decision");
      const outcome = decision.granted.has(call.jobId) ? grant(decision.standing) : denial(decision.standing);
      decided.inc({ outcome: outcome.granted ? "granted" : outcome.reason });
      resolve(outcome);
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
}
