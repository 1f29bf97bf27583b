import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";
import { withLookups } from "@leeway/shared/database/with-lookups";

import type { Part } from "../../chosen.ts";
import { inPresent, type PresentFilter } from "./filters.ts";

/** Counts of changes by kind, the highest risk, and the worst changes. */
export interface ChangeNews {
  risk_level: RiskLevel;
  changed: number;
  missing: number;
  undeclared: number;
  changes: {
    fingerprint: string;
    kind: DriftKind;
    risk_level: RiskLevel;
    resource_type: string;
    resource: string;
    /** Messages of the risk flags. */
    message?: string;
  }[];
}

interface Standing {
  risk_level: RiskLevel;
  coverage_pct: number;
}

const MAX_REPORTED = 10;
/** Keeps all reported changes within the size of an event. */
const MAX_LENGTH = 500;

interface NewsRow extends Row {
  fingerprint: string;
  kind: DriftKind;
  risk_level: RiskLevel;
  resource_type: string;
  resource: string;
  message: string | null;
  changed: number;
  missing: number;
  undeclared: number;
}

/**
 * Returns the changes of `drift_found` that are new since the account's last snapshot, or have different values. Must
 * run before the changes are settled. Pending changes aren't reported, because they come with each merge and go with
 * its apply.
 */
export async function detectedNews(tx: Transaction): Promise<ChangeNews | undefined> {
  return newsOf(await withLookups(tx, () => worstOf(tx, detected(tx))));
}

/**
 * Returns the changes of the account's last snapshot that `drift_found` lacks. Must run before the changes are
 * settled.
 */
export async function resolvedNews(tx: Transaction, accountId: string): Promise<ChangeNews | undefined> {
  return newsOf(await worstOf(tx, resolved(tx, accountId)));
}

/** Returns the fingerprints of all detected and resolved changes, if the organization has shared views of drift. */
export async function fingerprintsOfNews(
  tx: Transaction,
  accountId: string,
): Promise<{ detected: string[]; resolved: string[] }> {
  const [row] = await tx<{ detected: string[] | null; resolved: string[] | null }>`
    select (select array_agg(c.fingerprint) ${detected(tx)}) as detected,
           (select array_agg(c.fingerprint) ${resolved(tx, accountId)}) as resolved
     where exists (select 1 from inventory.views where org_id = ${tx.orgId} and shared and page = 'drift')
  `;
  return { detected: row?.detected ?? [], resolved: row?.resolved ?? [] };
}

const detected = (tx: Transaction) => tx.part`
      from (select * from drift_found) c
      left join inventory.drift_fingerprints s
        on s.org_id = ${tx.orgId}
       and s.fingerprint = c.fingerprint
     where not c.hidden
       and c.hidden_by is null
       and c.kind <> 'pending'
       and (s.fingerprint is null or s.values_hash <> '' and s.values_hash <> c.values_hash
            or (s.hidden or s.gone_at is not null) and not inventory.is_ignored(s.status, s.ignored_until))
`;

const resolved = (tx: Transaction, accountId: string) => tx.part`
      from inventory.drift_changes c
      join inventory.drift_fingerprints s
        on s.org_id = ${tx.orgId}
       and s.fingerprint = c.fingerprint
       and s.cloud_account_id = ${accountId}
       and s.gone_at is null
     where c.org_id = ${tx.orgId}
       and c.cloud_account_id = ${accountId}
       and c.gone_at = 'infinity'
       and not c.hidden
       and c.hidden_by is null
       and c.kind <> 'pending'
       and not inventory.is_ignored(s.status, s.ignored_until)
       and not exists (select from (select fingerprint from drift_found) n where n.fingerprint = c.fingerprint)
`;

/** News as it was reported, with the fingerprints of all its changes. */
interface Reported {
  fingerprints: readonly string[];
  accountId: string;
  snapshotId: string;
  isResolved: boolean;
  noticedAt: Date;
}

/**
 * Returns the reported changes that a filter selects, in the versions in which they were detected, or which they had until
 * they were resolved.
 */
export async function newsWithin(
  sql: OrgStatements,
  { fingerprints, accountId, snapshotId, isResolved, noticedAt }: Reported,
  filter: PresentFilter,
): Promise<ChangeNews | undefined> {
  const { part } = sql;
  const number = part`(
    select number
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and id = ${snapshotId}
  )`;
  const present = part`c.from_number <= ${number} and (c.until_number is null or c.until_number > ${number})`;
  // Versions end shortly before the notice is stored. The bound skips partitions.
  const versions = part`
    c.cloud_account_id = ${accountId}
    and c.fingerprint = any (${[...fingerprints]}::text[])
    and c.gone_at > ${noticedAt}::timestamptz - interval '1 hour'
    and ${isResolved ? part`c.until_number = ${number}` : present}
  `;
  const { from, which } = inPresent(sql, filter, { versions });
  return newsOf(
    await worstOf(
      sql,
      part`
      from inventory.drift_changes c
      ${from}
     where c.org_id = ${sql.orgId}
       and ${which}
`,
    ),
  );
}

function worstOf(sql: OrgStatements, changes: Part): Promise<NewsRow[]> {
  return sql<NewsRow>`
    select fingerprint, kind, risk_level, changed, missing, undeclared, content::jsonb ->> 'resource_type' as resource_type,
           coalesce(content::jsonb ->> 'address', content::jsonb ->> 'provider_resource_id', '') as resource,
           (select string_agg(flag ->> 'message', '; ' order by place)
              from jsonb_array_elements(content::jsonb -> 'risk_flags') with ordinality flags(flag, place)) as message
      from (
        select c.fingerprint, c.kind, c.risk_level, c.content,
               (count(*) filter (where c.kind = 'changed') over ())::integer as changed,
               (count(*) filter (where c.kind = 'missing') over ())::integer as missing,
               (count(*) filter (where c.kind = 'undeclared') over ())::integer as undeclared
        ${changes}
         order by inventory.risk_rank(c.risk_level), c.fingerprint
         limit ${MAX_REPORTED}
      ) worst
  `;
}

function newsOf(rows: readonly NewsRow[]): ChangeNews | undefined {
  const [worst] = rows;
  if (!worst) return undefined;
  const { risk_level, changed, missing, undeclared } = worst;
  const changes = rows.map((row) => ({
    fingerprint: row.fingerprint,
    kind: row.kind,
    risk_level: row.risk_level,
    resource_type: row.resource_type,
    resource: row.resource.slice(0, MAX_LENGTH).toWellFormed(),
    ...(row.message !== null && { message: row.message.slice(0, MAX_LENGTH).toWellFormed() }),
  }));
  return { risk_level, changed, missing, undeclared, changes };
}

/** Returns the posture at the account's finished snapshot `number`; undefined if there is no such snapshot. */
export async function standingAt(
  tx: Transaction,
  accountId: string,
  number: number,
): Promise<(Standing & { reliable: boolean }) | undefined> {
  const [row] = await tx<{ risk_level: RiskLevel; coverage_pct: string; coverage_reliable: boolean }>`
    select risk_level, coverage_pct, coverage_reliable
      from inventory.drift_snapshots
     where org_id = ${tx.orgId}
       and cloud_account_id = ${accountId}
       and number = ${number}
  `;
  return (
    row && {
      risk_level: row.risk_level,
      coverage_pct: Number(row.coverage_pct),
      reliable: row.coverage_reliable,
    }
  );
}
