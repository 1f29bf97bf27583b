import type { OrgStatements } from "@leeway/shared/database/database";

/** Names one attempt to make something: a caller's key. */
export interface AttemptKey {
  caller: string;
  key: string;
}

/** An attempt that begins, or what is known of an earlier one. */
export type Begun =
  | { attemptId: string }
  | {
      requestHash: Uint8Array;
      /** Absent while it is under way. */
      sealedAnswer?: Uint8Array;
    };

/**
 * Begins an attempt unless there is one that hasn't failed. Attempts older than a day are forgotten. One that has been
 * under way for five minutes has failed, since whoever worked on it is gone. Whoever begins again after a failure goes
 * by the same id, unless it is another request: nobody knows how far the one before came.
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
             when k.request_hash = excluded.request_hash and k.created_at >= now() - interval '24 hours'
             then coalesce(k.attempt_id, excluded.attempt_id)
             else excluded.attempt_id end
     where k.created_at < now() - interval '24 hours'
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
  if (!row) return beginAttempt(sql, { caller, key }, { attemptId, requestHash }); // it has just been forgotten
  return {
    requestHash: row.request_hash,
    ...(row.sealed_answer && { sealedAnswer: row.sealed_answer }),
  };
}

/** Keeps the answer of an attempt. */
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

/** Lets an attempt that made nothing be made again. */
export async function failAttempt(sql: OrgStatements, { caller, key }: AttemptKey): Promise<void> {
  await sql`
    update identity.idempotency_keys
       set has_failed = true
     where org_id = ${sql.orgId}
       and caller = ${caller}
       and key = ${key}
  `;
}
