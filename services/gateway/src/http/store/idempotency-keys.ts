import { RETENTION } from "@leeway/shared/contracts/retention";
import type { OrgStatements } from "@leeway/shared/database/database";

/** Idempotency key of a caller. */
export interface AttemptKey {
  caller: string;
  key: string;
}

/** New attempt, or the data of an earlier one. */
export type Begun =
  | { attemptId: string }
  | {
      requestHash: Uint8Array;
      /** Response; undefined while the attempt is in progress. */
      sealedAnswer?: Uint8Array;
    };

const KEPT_HOURS = RETENTION.idempotencyKeys.days * 24;

/**
 * Begins an attempt, unless an earlier one succeeded or is in progress. Attempts expire after a day. An attempt in
 * progress for five minutes has failed, because its process is gone. A retry of the same request keeps the attempt's
 * id, since the failed attempt may have created something.
 */
export async function beginAttempt(
  sql: OrgStatements,
  { caller, key }: AttemptKey,
  { attemptId, requestHash }: { attemptId: string; requestHash: Buffer },
): Promise<Begun> {
  const [begun] = await sql<{ attempt_id: string }>`
    insert into identity.idempotency_keys as k (org_id, caller, key, request_hash, attempt_id)
    values (${sql.orgId}, ${caller}, ${key}, ${requestHash}, ${attemptId})
    on conflict (org_id, caller, key) do update
       set request_hash = excluded.request_hash, sealed_answer = null, created_at = now(), has_failed = false,
           attempt_id = case
             when k.request_hash = excluded.request_hash and k.created_at >= now() - make_interval(hours => ${KEPT_HOURS})
             then coalesce(k.attempt_id, excluded.attempt_id)
             else excluded.attempt_id end
     where k.created_at < now() - make_interval(hours => ${KEPT_HOURS})
        or (k.sealed_answer is null and (k.has_failed or k.created_at < now() - interval '5 minutes'))
    returning attempt_id
  `;
  if (begun) return { attemptId: begun.attempt_id };
  const [row] = await sql<{ request_hash: Uint8Array; sealed_answer: Uint8Array | null }>`
    select request_hash, sealed_answer
      from identity.idempotency_keys
     where org_id = ${sql.orgId}
       and caller = ${caller}
       and key = ${key}
  `;
  if (!row) return beginAttempt(sql, { caller, key }, { attemptId, requestHash }); // it was just deleted
  return {
    requestHash: row.request_hash,
    ...(row.sealed_answer && { sealedAnswer: row.sealed_answer }),
  };
}

/** Stores the response of an attempt. */
export async function keepAnswer(
  sql: OrgStatements,
  { caller, key }: AttemptKey,
  sealedAnswer: Buffer,
): Promise<void> {
  await sql`
    update identity.idempotency_keys
       set sealed_answer = ${sealedAnswer}
     where org_id = ${sql.orgId}
       and caller = ${caller}
       and key = ${key}
  `;
}

/** Marks an attempt as failed, so that it can be repeated. */
export async function failAttempt(sql: OrgStatements, { caller, key }: AttemptKey): Promise<void> {
  await sql`
    update identity.idempotency_keys
       set has_failed = true
     where org_id = ${sql.orgId}
       and caller = ${caller}
       and key = ${key}
  `;
}
