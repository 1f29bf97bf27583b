import type { Row, Transaction } from "@leeway/shared/database/database";

import { valuesIn } from "./values.ts";

/** Updates the account's `drift_changes` and `drift_fingerprints` to match `drift_found`, from snapshot `number` on. */
export async function settleChanges(tx: Transaction, accountId: string, number: number): Promise<void> {
  await endChanges(tx, accountId, number);
  await beginChanges(tx, accountId, number);
  await leaveFingerprints(tx, accountId, number);
  await enterFingerprints(tx, accountId, number, await auditedSince(tx, accountId));
}

/**
 * Returns the earliest time at which a newly found change can have been made: the start of the previous scan, and
 * some time before it. Undefined if the actor can't be looked up: without a scan, at the first scan, and in an
 * account without credentials.
 */
async function auditedSince(tx: Transaction, accountId: string): Promise<Date | undefined> {
  const [row] = await tx<{ since: Date }>`
    select created_at - interval '15 minutes' as since
      from inventory.scans
     where org_id = ${tx.orgId}
       and id = (
         select scan_id
           from inventory.drift_snapshots
          where org_id = ${tx.orgId}
            and cloud_account_id = ${accountId}
            and status = 'ready'
            and scan_id is not null
          order by number desc
          limit 1
       )
       and exists (
         select
           from inventory.cloud_accounts
          where org_id = ${tx.orgId}
            and id = ${accountId}
            and credential_kind is not null
       )
       and exists (
         select
           from inventory.drift_snapshots
          where org_id = ${tx.orgId}
            and cloud_account_id = ${accountId}
            and status = 'pending'
            and scan_id is not null
       )
  `;
  return row?.since;
}

async function endChanges(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`
    update inventory.drift_changes c
       set until_number = ${number}, gone_at = clock.now
      from (select clock_timestamp() as now) clock
     where c.org_id = ${tx.orgId}
       and c.cloud_account_id = ${accountId}
       and c.gone_at = 'infinity'
       and not exists (
         select
           from (select fingerprint, content_hash, risk_level, hidden, effects from drift_found) f
          where f.fingerprint = c.fingerprint
            and f.content_hash = c.content_hash
            and f.risk_level = c.risk_level
            and f.hidden = c.hidden
            and f.effects is not distinct from c.effects
       )
  `;
}

async function beginChanges(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`
    insert into inventory.drift_changes (
      org_id, id, cloud_account_id, fingerprint, kind, risk_level, hidden, content, content_hash, effects, hidden_by,
      resource_type, module_address, cause, from_number
    )
    select ${tx.orgId}, gen_random_uuid(), ${accountId}, f.fingerprint, f.kind, f.risk_level, f.hidden, f.content,
           f.content_hash, f.effects, f.hidden_by, f.resource_type, f.module_address, f.cause, ${number}::integer
      from (select * from drift_found f cross join lateral (${valuesIn(tx, tx.part`f`)}) v) f
     where not exists (
       select
         from inventory.drift_changes c
        where c.org_id = ${tx.orgId}
          and c.cloud_account_id = ${accountId}
          and c.gone_at = 'infinity'
          and c.fingerprint = f.fingerprint
     )
    ${tx.withoutCopy}
  `;
}

async function leaveFingerprints(tx: Transaction, accountId: string, number: number): Promise<void> {
  await tx`
    update inventory.drift_fingerprints s
       set gone_at = now(), actor_due_at = null, seen_before = seen_before + ${number}::integer - from_number
     where s.org_id = ${tx.orgId}
       and s.cloud_account_id = ${accountId}
       and s.gone_at is null
       and not exists (select from (select fingerprint from drift_found) f where f.fingerprint = s.fingerprint)
  `;
}

/** Largest number of changes to look up in the audit log after one computation, the worst first. */
const MAX_AUDITED = 100;

/**
 * Adds and updates fingerprints. A change that returns, or has another value, is open again and has a new actor. An
 * ignored change stays ignored while its value stays the same. Without a hash, the earlier value isn't known.
 */
async function enterFingerprints(
  tx: Transaction,
  accountId: string,
  number: number,
  since: Date | undefined,
): Promise<void> {
  const { part } = tx;
  const hasChanged = part`s.values_hash <> '' and s.values_hash <> excluded.values_hash`;
  const isAnother = part`(${hasChanged} or s.gone_at is not null)`;
  await tx`
    insert into inventory.drift_fingerprints as s (
      org_id, fingerprint, cloud_account_id, kind, risk_level, hidden, hidden_by, values_hash, from_number,
      actor_between, actor_due_at
    )
    select ${tx.orgId}, n.fingerprint, ${accountId}, n.kind, n.risk_level, n.hidden, n.hidden_by, n.values_hash,
           ${number},
           case when n.audited then tstzrange(${since ?? null}::timestamptz, now()) end, case when n.audited then now() end
      from (
        select f.*,
               ${since !== undefined} and not f.hidden and f.kind <> 'pending' and row_number() over (
                 order by f.hidden, f.kind = 'pending', inventory.risk_rank(f.risk_level), f.fingerprint
               ) <= ${MAX_AUDITED} as audited
          from (select fingerprint, kind, risk_level, hidden, hidden_by, values_hash from drift_found) f
         where not exists (
           select
             from inventory.drift_fingerprints k
            where k.org_id = ${tx.orgId} and k.cloud_account_id = ${accountId}
              and k.fingerprint = f.fingerprint
              and k.gone_at is null
              and k.values_hash = f.values_hash
              and k.risk_level = f.risk_level
              and k.hidden = f.hidden
              and k.hidden_by is not distinct from f.hidden_by
         )
      ) n
    on conflict (org_id, fingerprint) do update
       set risk_level = excluded.risk_level, hidden = excluded.hidden, hidden_by = excluded.hidden_by,
           values_hash = excluded.values_hash,
           from_number = case when s.gone_at is null then s.from_number else excluded.from_number end,
           actor = case when not ${isAnother} then s.actor end,
           actor_between = case when ${isAnother} then excluded.actor_between else s.actor_between end,
           actor_due_at = case when ${isAnother} then excluded.actor_due_at else s.actor_due_at end,
           actor_tries = case when ${isAnother} then 0 else s.actor_tries end,
           gone_at = null,
           status = case
             when ${hasChanged} or s.gone_at is not null and s.status = 'acknowledged' then 'open'
             else s.status
           end
  `;
}

/** Sets the counts of snapshots to their account's current counts. */
export async function countAsNow(
  tx: Transaction,
  accountId: string,
  snapshotIds: readonly string[],
): Promise<void> {
  await tx`
    update inventory.drift_snapshots s
       set live_count = a.live_count, matched_count = a.matched_count, undeclared_count = a.undeclared_count,
           unchecked_count = a.unchecked_count, excluded_count = a.excluded_count, missing_count = a.missing_count
      from inventory.cloud_accounts a
     where s.org_id = ${tx.orgId}
       and s.id = any (${[...snapshotIds]}::uuid[])
       and a.org_id = ${tx.orgId}
       and a.id = ${accountId}
  `;
}

/** Finishes the snapshots of one computation, numbered from `number` on. `countAsNow` must run first. */
export async function finishSnapshots(
  tx: Transaction,
  accountId: string,
  { snapshotIds, number }: { snapshotIds: readonly string[]; number: number },
): Promise<void> {
  const ids = [...snapshotIds];
  await tx`
    update inventory.drift_snapshots
       set status = 'ready', number = ${number}::integer - 1 + array_position(${ids}::uuid[], id),
           undeclared_critical_count = 0, undeclared_high_count = 0, undeclared_medium_count = 0,
           undeclared_low_count = 0, finished_at = clock.now
      from (select clock_timestamp() as now) clock
     where org_id = ${tx.orgId}
       and id = any (${ids}::uuid[])
  `;
  await tx`
    update inventory.cloud_accounts
       set drift_number = ${number + snapshotIds.length - 1}
     where org_id = ${tx.orgId}
       and id = ${accountId}
  `;
  await countRisk(tx, accountId, number);
}

/**
 * Recounts the risk of an account's changes in its snapshots from `first` on, by default in the latest one. Undeclared
 * resources have counts of their own, in snapshots that have judged them.
 */
export async function countRisk(tx: Transaction, accountId: string, first?: number): Promise<void> {
  const number = first ?? (await latestNumber(tx, accountId)) ?? 0;
  await tx`
    update inventory.drift_snapshots s
       set changed_count = c.changed, hidden_count = c.hidden, critical_count = c.critical, high_count = c.high, medium_count = c.medium,
           low_count = c.low,
           undeclared_critical_count = case when s.undeclared_low_count is not null then c.undeclared_critical end,
           undeclared_high_count = case when s.undeclared_low_count is not null then c.undeclared_high end,
           undeclared_medium_count = case when s.undeclared_low_count is not null then c.undeclared_medium end,
           undeclared_low_count = case when s.undeclared_low_count is not null then c.undeclared_low end
      from (
        select count(*) filter (where f.kind = 'changed') as changed,
               count(*) filter (where f.hidden_by is not null) as hidden,
               count(*) filter (where r.level = 'critical') as critical,
               count(*) filter (where r.level = 'high') as high,
               count(*) filter (where r.level = 'medium') as medium,
               count(*) filter (where r.level = 'low') as low,
               count(*) filter (where r.level = 'undeclared critical') as undeclared_critical,
               count(*) filter (where r.level = 'undeclared high') as undeclared_high,
               count(*) filter (where r.level = 'undeclared medium') as undeclared_medium,
               count(*) filter (where r.level = 'undeclared low') as undeclared_low
          from inventory.drift_fingerprints f
         cross join lateral (
           select case
                    when f.hidden_by is not null or inventory.is_ignored(f.status, f.ignored_until) then null
                    when f.kind = 'undeclared' then 'undeclared ' || f.risk_level
                    else f.risk_level
                  end as level
         ) r
         where f.org_id = ${tx.orgId}
           and f.cloud_account_id = ${accountId}
           and f.gone_at is null
           and not f.hidden
      ) c
     where s.org_id = ${tx.orgId}
       and s.cloud_account_id = ${accountId}
       and s.number >= ${number}
  `;
}

interface NumberRow extends Row {
  drift_number: number;
}

/**
 * Returns the number of the account's latest finished snapshot, 0 before the first; undefined if the account is
 * deleted.
 */
export async function latestNumber(tx: Transaction, accountId: string): Promise<number | undefined> {
  const [row] = await tx<NumberRow>`
    select drift_number from inventory.cloud_accounts where org_id = ${tx.orgId} and id = ${accountId}
  `;
  return row?.drift_number;
}

/**
 * Waits for other computations or decisions about the account's drift, and blocks later ones until the transaction
 * ends.
 */
export async function lockDrift(
  tx: Transaction,
  accountId: string,
  what: "compute" | "decide",
): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${what} drift ${accountId}`}, 0))`;
}

/** Waits for all drift computations in the organization, and blocks later ones until the transaction ends. */
export async function lockDriftOfAll(tx: Transaction): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(hashtextextended('compute drift ' || id, 0))
      from (select id from inventory.cloud_accounts where org_id = ${tx.orgId} order by id) a
  `;
}
