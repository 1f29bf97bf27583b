import { currentContext, withContext } from "@leeway/shared/context";
import type { SlotDenial, SlotGrant } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/errors";
import { counter } from "@leeway/shared/telemetry/metrics";

import { denial, grant } from "../domain/gates.ts";
import { releaseSlot, reserveSlots, type SlotCall } from "../store/slots.ts";

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
/** Longer than a job may take from its submission on: whoever holds a slot still then is dead. */
const HOLD_MINUTES = 15;

const decided = counter("slots_decided_total", "Calls for a slot, by what was decided", ["outcome"]);

/** @param onDenied hears of every denial */
export function createReserver(
  database: Database,
  onDenied: (orgId: string, denial: SlotDenial) => void = () => undefined,
): Reserver {
  const queue: Waiting[] = [];
  let isWorking = false;

  // One statement at a time: two would wait for each other on the same row, and were no faster on many.
  async function work(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST_TOGETHER);
      // Not in the context of whoever came first, whose going away would fail them all.
      await withContext({ requestId: crypto.randomUUID() }, () => decide(database, batch, onDenied));
    }
    isWorking = false;
  }

  return {
    reserve(call) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      queue.push({ call, signal: currentContext()?.signal, resolve, reject });
      if (!isWorking) {
        isWorking = true;
        setImmediate(() => void work()); // a moment later, with those that come at the same time
      }
      return promise;
    },
  };
}

/** Decides those of the calls that somebody still waits for; never fails. */
async function decide(
  database: Database,
  batch: readonly Waiting[],
  onDenied: (orgId: string, denial: SlotDenial) => void,
): Promise<void> {
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
      if (!outcome.granted) onDenied(call.orgId, outcome);
      resolve(outcome);
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
  await giveBack(database, waiting.filter(isGone));
}

/** What callers that went away meanwhile won't hear of; what can't be given back now is swept. */
async function giveBack(database: Database, unheard: readonly Waiting[]): Promise<void> {
  await Promise.allSettled(unheard.map(({ call }) => releaseSlot(database.org(call.orgId), call.jobId)));
}

function isGone({ signal }: Waiting): boolean {
  return signal?.aborted === true;
}
