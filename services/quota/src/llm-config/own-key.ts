import type { ByokDenial } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";

import { admit, afterFailure, afterNothing, CLOSED, type Breaker } from "./breaker.ts";
import { countsAgainstKey } from "../model/model-failure.ts";
import { findKey, lockKey, noteUse, setBreaker, type StoredKey } from "./store.ts";
import type { Asked } from "../model/ask-model.ts";

/** An admitted call with the organization's own key. */
export interface OwnCall {
  key: StoredKey;
  /** Whether this call probes if the key works again. */
  probing: boolean;
}

/**
 * Returns the organization's own key for a call, or the denial if it can't be used now; undefined if there is no key.
 */
export async function takeKey(database: Database, orgId: string): Promise<OwnCall | ByokDenial | undefined> {
  return database.transaction(orgId, async (tx) => {
    const key = await lockKey(tx);
    if (!key) return undefined;
    const admission = admit(key.breaker, key.now);
    if (!admission.admitted) return denialOf(key, admission.at);
    if (admission.probing) await setBreaker(tx, admission.breaker);
    await noteUse(tx);
    return { key, probing: admission.probing };
  });
}

/** Returns why the organization's own key can't be used now, if so, without taking the probe's lease. */
export async function denialOfKey(database: Database, orgId: string): Promise<ByokDenial | undefined> {
  const key = await findKey(database.org(orgId));
  const admission = key && admit(key.breaker, key.now);
  return !admission || admission.admitted ? undefined : denialOf(key, admission.at);
}

/**
 * Records the outcome of a call in the breaker, unless the key was replaced since.
 * @returns the breaker if this opened it for the first time since a successful call
 */
export async function noteOutcome(
  database: Database,
  orgId: string,
  { key: { id }, probing }: OwnCall,
  asked: Asked,
): Promise<Breaker | undefined> {
  return database.transaction(orgId, async (tx) => {
    const key = await lockKey(tx);
    if (key?.id !== id) return undefined;
    const next = breakerAfter(key, probing, asked);
    if (next !== key.breaker) await setBreaker(tx, next);
    return next.trips > 0 && key.breaker.trips === 0 ? next : undefined;
  });
}

function breakerAfter({ breaker, now }: StoredKey, probing: boolean, asked: Asked): Breaker {
  if (asked.answered) return breaker.failures === 0 ? breaker : CLOSED;
  const { failure } = asked;
  if (!countsAgainstKey(failure)) return probing ? afterNothing(breaker) : breaker;
  const failed = {
    rejected: failure.kind === "rejected",
    retryAfterSeconds: failure.retry_after_seconds,
  };
  return afterFailure(breaker, failed, now, Math.random());
}

function denialOf({ connection, breaker, now }: StoredKey, at: Date): ByokDenial {
  return {
    granted: false,
    reason: "byok_rate_limited",
    provider: connection.provider,
    retry_at: at.toISOString(),
    retry_after_seconds: Math.max(1, Math.ceil((at.getTime() - now.getTime()) / 1000)),
    consecutive_failures: breaker.failures,
  };
}
