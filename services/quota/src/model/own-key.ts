import type { ByokDenial } from "@leeway/shared/contracts/quota/slots";
import type { Database } from "@leeway/shared/database/database";

import { admit, afterFailure, afterNothing, CLOSED, type Breaker } from "../domain/breaker.ts";
import { countsAgainstKey } from "../domain/model-failure.ts";
import { findKey, lockKey, noteUse, setBreaker, type StoredKey } from "../llm-config/store.ts";
import type { Asked } from "./ask-model.ts";

/** A call that may be made with the organization's own key. */
export interface OwnCall {
  key: StoredKey;
  /** Whether it is the one that tries if the key works again. */
  probing: boolean;
}

/** The organization's own key for a call, why there is none now, or undefined when it has none at all. */
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

/** Why the organization's own key is denied now, if it is; nothing is taken by asking. */
export async function denialOfKey(database: Database, orgId: string): Promise<ByokDenial | undefined> {
  const key = await findKey(database.org(orgId));
  const admission = key && admit(key.breaker, key.now);
  return !admission || admission.admitted ? undefined : denialOf(key, admission.at);
}

/**
 * Tells the breaker how a call went. A key that was replaced meanwhile has nothing to do with it.
 * @returns the breaker where that opened it, for the first time since a call was answered
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
