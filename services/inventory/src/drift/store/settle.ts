import type { Row, Transaction } from "@leeway/shared/database/database";

/** Makes `drift_changes` and `drift_fingerprints` of the account say what `drift_found` says, from snapshot `number` on. */
export async function settleChanges(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`analyze drift_found (fingerprint, content_hash)`;
  await endChanges(tx, accountId, number);
  await beginChanges(tx, accountId, number);
  await leaveFingerprints(tx, accountId, number);
  await enterFingerprints(tx, accountId, number, await auditedSince(tx, accountId));
}

/**
 * Since when a change can have been made that a scan has found now: since the scan before, which saw things a while before
 * it was over. Undefined where nobody can tell who made it: of what no scan found, or the first, and in an account
 * without credentials.
 */
async function auditedSince(tx: Transaction, accountId: string): Promise<Date | undefined> {
  const [row] = await tx<{ since: Date }>`
    select c.created_at - interval '15 minutes' as since
      from inventory.cloud_accounts a
      join inventory.drift_snapshots s on s.org_id = a.org_id and s.cloud_account_id = a.id and s.status = 'ready'
      join inventory.scans c on c.org_id = s.org_id and c.id = s.scan_id
     where a.org_id = ${tx.orgId}
       and a.id = ${accountId}
       and a.credential_kind is not null
       and exists (
         select
           from inventory.drift_snapshots p
          where p.org_id = a.org_id
            and p.cloud_account_id = a.id
            and p.status = 'pending'
            and p.scan_id is not null
       )
     order by s.number desc
     limit 1
  `;
  return row?.since;
}

async function endChanges(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`
    update inventory.drift_changes c
       set until_number = ${number}, gone_at = clock_timestamp()
     where c.org_id = ${tx.orgId}
       and c.cloud_account_id = ${accountId}
       and c.gone_at = 'infinity'
       and not exists (
         select
           from drift_found f
          where f.fingerprint = c.fingerprint
            and f.content_hash = c.content_hash
            and f.risk_level = c.risk_level
            and f.hidden = c.hidden
       )
  `;
}

async function beginChanges(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`
    insert into inventory.drift_changes (
      org_id, id, cloud_account_id, fingerprint, kind, risk_level, hidden, content, content_hash, from_number
    )
    select ${tx.orgId}, gen_random_uuid(), ${accountId}, f.fingerprint, f.kind, f.risk_level, f.hidden, f.content,
           f.content_hash, ${number}
      from drift_found f
     where not exists (
       select
         from inventory.drift_changes c
        where c.org_id = ${tx.orgId}
          and c.cloud_account_id = ${accountId}
          and c.gone_at = 'infinity'
          and c.fingerprint = f.fingerprint
     )
  `;
}

async function leaveFingerprints(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`
    update inventory.drift_fingerprints s
       set gone_at = now(), actor_due_at = null, seen_before = seen_before + ${number}::integer - from_number
     where s.org_id = ${tx.orgId}
       and s.cloud_account_id = ${accountId}
       and s.gone_at is null
       and not exists (select from drift_found f where f.fingerprint = s.fingerprint)
  `;
}

/** Whom an audit log is asked about after one computation, the worst first. */
const MOST_AUDITED = 100;

/**
 * What comes back, or has another value, is open again, and somebody has made it; what is ignored stays so while its
 * value does.
 */
async function enterFingerprints(
  tx: Transaction,
  accountId: string,
  number: number,
  since: Date | undefined,
): Promise<void> {
  const { part } = tx;
  const isAnother = part`(s.values_hash <> excluded.values_hash or s.gone_at is not null)`;
  await tx`
    insert into inventory.drift_fingerprints as s (
      org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, values_hash, from_number, actor_between,
      actor_due_at
    )
    select ${tx.orgId}, n.fingerprint, ${accountId}, n.kind, n.risk_level, n.hidden, n.values_hash, ${number},
           case when n.audited then tstzrange(${since ?? null}::timestamptz, now()) end, case when n.audited then now() end
      from (
        select f.*,
               ${since !== undefined} and not f.hidden and f.kind <> 'pending' and row_number() over (
                 order by f.hidden, f.kind = 'pending', inventory.risk_rank(f.risk_level), f.fingerprint
               ) <= ${MOST_AUDITED} as audited
          from drift_found f
         where not exists (
           select
             from inventory.drift_fingerprints k
            where k.org_id = ${tx.orgId}
              and k.fingerprint = f.fingerprint
              and k.gone_at is null
              and k.values_hash = f.values_hash
              and k.risk_level = f.risk_level
              and k.hidden = f.hidden
         )
      ) n
    on conflict (org_id, fingerprint) do update
       set risk_level = excluded.risk_level, hidden = excluded.hidden, values_hash = excluded.values_hash,
           from_number = case when s.gone_at is null then s.from_number else excluded.from_number end,
           actor = case when not ${isAnother} then s.actor end,
           actor_between = case when ${isAnother} then excluded.actor_between else s.actor_between end,
           actor_due_at = case when ${isAnother} then excluded.actor_due_at else s.actor_due_at end,
           actor_tries = case when ${isAnother} then 0 else s.actor_tries end,
           gone_at = null,
           status = case
             when s.values_hash <> excluded.values_hash or s.gone_at is not null and s.status = 'acknowledged' then 'open'
             else s.status
           end
  `;
}

/** Finishes snapshots of one computation with what their account counts now, as its number `number` and on. */
export async function finishSnapshots(
  tx: Transaction,
  accountId: string,
  { snapshotIds, number }: { snapshotIds: readonly string[]; number: number },
): Promise<void> {
  await tx`
    update inventory.drift_snapshots s
       set status = 'ready', number = ${number}::integer - 1 + p.place, live_count = a.live_count,
           matched_count = a.matched_count, undeclared_count = a.undeclared_count,
           unchecked_count = a.unchecked_count, excluded_count = a.excluded_count,
           missing_count = a.missing_count, finished_at = clock_timestamp()
      from unnest(${[...snapshotIds]}::uuid[]) with ordinality as p (id, place)
     cross join inventory.cloud_accounts a
     where s.org_id = ${tx.orgId}
       and s.id = p.id
       and a.org_id = ${tx.orgId}
       and a.id = ${accountId}
  `;
  await tx`
    update inventory.cloud_accounts
       set drift_number = ${number + snapshotIds.length - 1}
     where org_id = ${tx.orgId}
       and id = ${accountId}
  `;
  await countRisk(tx, accountId, number);
}

/** Counts the risk of an account's changes anew, for its snapshots from `number` on. */
export async function countRisk(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`
    update inventory.drift_snapshots s
       set changed_count = c.changed, critical_count = c.critical, high_count = c.high, medium_count = c.medium,
           low_count = c.low
      from (
        select count(*) filter (where f.kind = 'changed') as changed,
               count(*) filter (where f.risk_level = 'critical' and r.counts) as critical,
               count(*) filter (where f.risk_level = 'high' and r.counts) as high,
               count(*) filter (where f.risk_level = 'medium' and r.counts) as medium,
               count(*) filter (where f.risk_level = 'low' and r.counts) as low
          from inventory.drift_fingerprints f
         cross join lateral (select not inventory.is_ignored(f.status, f.ignored_until) as counts) r
         where f.org_id = ${tx.orgId}
           and f.cloud_account_id = ${accountId}
           and f.gone_at is null
           and not f.hidden
           and (f.kind <> 'undeclared' or f.risk_level <> 'none')
      ) c
     where s.org_id = ${tx.orgId}
       and s.cloud_account_id = ${accountId}
       and s.number >= ${number}
  `;
}

interface NumberRow extends Row {
  drift_number: number;
}

/** The number of the account's latest finished snapshot, 0 before the first; undefined when the account is gone. */
export async function latestNumber(tx: Transaction, accountId: string): Promise<number | undefined> {
  const [row] = await tx<NumberRow>`
    select drift_number from inventory.cloud_accounts where org_id = ${tx.orgId} and id = ${accountId}
  `;
  return row?.drift_number;
}

/** Waits for whoever computes an account's drift, or decides about it, and keeps others waiting until the transaction ends. */
export async function lockDrift(
  tx: Transaction,
  accountId: string,
  what: "compute" | "decide",
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${what} drift ${accountId}`}, 0))`;
}
