import type { OrgStatements } from "@leeway/shared/database/database";

/** Names one attempt to make something: a caller's key. */
export interface AttemptKey {
  caller: string;
  key: string;
}

/** What is known of an earlier attempt under the same key. */
export interface EarlierAttempt {
  requestHash: Uint8Array;
  /** Absent while it is under way. */
  sealedAnswer?: Uint8Array;
}

/**
 * Begins an attempt unless there is one. Attempts older than a day are forgotten; so is one that has been
 * under way for five minutes, since whoever worked on it is gone.
 * @returns the earlier attempt, undefined when this is the first
 */
export async function beginAttempt(
  sql: OrgStatements,
  { caller, key }: AttemptKey,
  requestHash: Buffer,
): Promise<EarlierAttempt | undefined> {
  const begun = await sql`
    insert into identity.idempotency_keys as k (org_id, caller, key, request_hash)
    values (${sql.orgId}, ${caller}, ${key}, ${requestHash})
    on conflict (org_id, caller, key) do update
       set request_hash = excluded.request_hash, sealed_answer = null, created_at = now()
     where k.created_at < now() - interval '24 hours'
        or (k.sealed_answer is null and k.created_at < now() - interval '5 minutes')
    returning key
  `;
  if (begun.length > 0) return undefined;
  const [row] = await sql<{ request_hash: Uint8Array; sealed_answer: Uint8Array | null }>`
    select request_hash, sealed_answer
      from identity.idempotency_keys
     where org_id = ${sql.orgId}
       and caller = ${caller}
       and key = ${key}
  `;
  if (!row) return beginAttempt(sql, { caller, key }, requestHash); // it has just been dropped
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

/** Forgets an attempt that failed on our side, so that it can be made again. */
export async function dropAttempt(sql: OrgStatements, { caller, key }: AttemptKey): Promise<void> {
  await sql`
    delete from identity.idempotency_keys
     where org_id = ${sql.orgId}
       and caller = ${caller}
       and key = ${key}
  `;
}
