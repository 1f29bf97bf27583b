import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { Row, Transaction } from "@leeway/shared/database/database";

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
export async function detectedNews(tx: Transaction, accountId: string): Promise<ChangeNews | undefined> {
  const rows = await tx<NewsRow>`
    ${worstOf(tx)}
      from drift_found f
      left join inventory.drift_fingerprints s
        on s.org_id = ${tx.orgId}
       and s.fingerprint = f.fingerprint
       and s.cloud_account_id = ${accountId}
     where not f.hidden
       and f.hidden_by is null
       and f.kind <> 'pending'
       and (s.fingerprint is null or s.values_hash <> '' and s.values_hash <> f.values_hash
            or (s.hidden or s.gone_at is not null) and not inventory.is_ignored(s.status, s.ignored_until))
     order by inventory.risk_rank(f.risk_level), f.fingerprint
     limit ${MAX_REPORTED}
    ) worst
  `;
  return newsOf(rows);
}

/**
 * Returns the changes of the account's last snapshot that `drift_found` lacks. Must run before the changes are
 * settled.
 */
export async function resolvedNews(tx: Transaction, accountId: string): Promise<ChangeNews | undefined> {
  const rows = await tx<NewsRow>`
    ${worstOf(tx)}
      from inventory.drift_changes f
      join inventory.drift_fingerprints s
        on s.org_id = ${tx.orgId}
       and s.fingerprint = f.fingerprint
     where f.org_id = ${tx.orgId}
       and f.cloud_account_id = ${accountId}
       and f.gone_at = 'infinity'
       and not f.hidden
       and f.hidden_by is null
       and f.kind <> 'pending'
       and not inventory.is_ignored(s.status, s.ignored_until)
       and not exists (select from drift_found n where n.fingerprint = f.fingerprint)
     order by inventory.risk_rank(f.risk_level), f.fingerprint
     limit ${MAX_REPORTED}
    ) worst
  `;
  return newsOf(rows);
}

const worstOf = (tx: Transaction) => tx.part`
  select fingerprint, kind, risk_level, changed, missing, undeclared, content::jsonb ->> 'resource_type' as resource_type,
         coalesce(content::jsonb ->> 'address', content::jsonb ->> 'provider_resource_id', '') as resource,
         (select string_agg(flag ->> 'message', '; ' order by place)
            from jsonb_array_elements(content::jsonb -> 'risk_flags') with ordinality flags(flag, place)) as message
    from (
      select f.fingerprint, f.kind, f.risk_level, f.content,
             (count(*) filter (where f.kind = 'changed') over ())::integer as changed,
             (count(*) filter (where f.kind = 'missing') over ())::integer as missing,
             (count(*) filter (where f.kind = 'undeclared') over ())::integer as undeclared
`;

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
