import { currentContext, withContext } from "@leeway/shared/platform/context";
import type { SlotDenial, SlotGrant } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";
import { unavailable } from "@leeway/shared/values/errors";
import { counter } from "@leeway/shared/platform/telemetry/metrics";

import { denial, grant } from "./gates.ts";
import { releaseSlot, reserveSlots, type SlotCall } from "./store/slots.ts";

type Outcome = SlotGrant | SlotDenial;

/** Reserves slots for jobs. Calls that wait for the database are decided together, in one statement. */
export interface Reserver {
  /**
   * Reserves a slot.
   * @throws {AppError} `unavailable`
   */
  reserve(call: SlotCall): Promise<Outcome>;
}

interface Waiting {
  call: SlotCall;
  /** Aborted when the caller no longer waits for the answer. */
  signal: AbortSignal | undefined;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

const MAX_TOGETHER = 128;
/** Longer than a job may take after its submission, so a worker that still holds a slot then is dead. */
const HOLD_MINUTES = 15;

const decided = counter("slots_decided_total", "Slot requests, by decision", ["outcome"]);

/**
 * Creates a reserver.
 * @param onDenied called for every denial
 */
export function createReserver(
  database: Database,
  onDenied: (orgId: string, denial: SlotDenial) => void = () => undefined,
): Reserver {
  const queue: Waiting[] = [];
  let isWorking = false;

  // Runs one statement at a time: two would block each other on the same row, and weren't faster on different rows.
  async function work(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_TOGETHER);
      // A context of its own, so that the whole batch doesn't fail when its first caller leaves.
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
        setImmediate(() => void work()); // a moment later, together with calls that arrive at the same time
      }
      return promise;
    },
  };
}

/** Decides the calls whose callers still wait; never throws. */
async function decide(
  database: Database,
  batch: readonly Waiting[],
  onDenied: (orgId: string, denial: SlotDenial) => void,
): Promise<void> {
  for (const { reject } of batch.filter(isGone)) reject(unavailable("the caller disconnected"));
  const waiting = batch.filter((one) => !isGone(one));
  if (waiting.length === 0) return;
  try {
    const calls = waiting.map(({ call }) => call);
    const decisions = await reserveSlots(database.system, calls, { holdMinutes: HOLD_MINUTES });
    for (const { call, resolve } of waiting) {
      const decision = decisions.get(call.orgId);
      if (!decision) throw new Error("the request got no decision");
      const outcome = decision.granted.has(call.jobId) ? grant(decision.standing) : denial(decision.standing);
      decided.inc({ outcome: outcome.granted ? "granted" : outcome.reason });
      if (!outcome.granted) onDenied(call.orgId, outcome);
      resolve(outcome);
    }
  } catch (error) {
    for (const { reject } of waiting) reject(error);
  }
  await releaseSlots(database, waiting.filter(isGone));
}

/** Releases the slots of callers that left in the meantime. The sweep releases those that fail here. */
async function releaseSlots(database: Database, abandoned: readonly Waiting[]): Promise<void> {
  await Promise.allSettled(abandoned.map(({ call }) => releaseSlot(database.org(call.orgId), call.jobId)));
}

function isGone({ signal }: Waiting): boolean {
  return signal?.aborted === true;
}
