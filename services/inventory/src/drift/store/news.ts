import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { Row, Transaction } from "@leeway/shared/database/database";

/** What to tell of some changes: how many of each kind, how bad, and the worst. */
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
  }[];
}

interface Standing {
  risk_level: RiskLevel;
  coverage_pct: number;
}

const MOST_TOLD = 10;
/** All of them together are within what an event may hold. */
const LONGEST_NAME = 500;

interface NewsRow extends Row {
  fingerprint: string;
  kind: DriftKind;
  risk_level: RiskLevel;
  resource_type: string;
  resource: string;
  changed: number;
  missing: number;
  undeclared: number;
}

/**
 * What `drift_found` has that the account's last snapshot had not, or not with these values. Before it is settled. What
 * waits to be applied is no drift: it comes with each merge and goes with its apply.
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
       and f.kind <> 'pending'
       and (s.fingerprint is null or s.values_hash <> f.values_hash
            or (s.hidden or s.gone_at is not null) and not inventory.is_ignored(s.status, s.ignored_until))
     order by inventory.risk_rank(f.risk_level), f.fingerprint
     limit ${MOST_TOLD}
    ) worst
  `;
  return newsOf(rows);
}

/** What the account's last snapshot had and `drift_found` has not. Before it is settled. */
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
       and f.kind <> 'pending'
       and not inventory.is_ignored(s.status, s.ignored_until)
       and not exists (select from drift_found n where n.fingerprint = f.fingerprint)
     order by inventory.risk_rank(f.risk_level), f.fingerprint
     limit ${MOST_TOLD}
    ) worst
  `;
  return newsOf(rows);
}

const worstOf = (tx: Transaction) => tx.part`
  select fingerprint, kind, risk_level, changed, missing, undeclared, content::jsonb ->> 'resource_type' as resource_type,
         coalesce(content::jsonb ->> 'address', content::jsonb ->> 'provider_resource_id', '') as resource
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
    resource: row.resource.slice(0, LONGEST_NAME).toWellFormed(),
  }));
  return { risk_level, changed, missing, undeclared, changes };
}

/** How the account's finished snapshot of that number stands; undefined when it has none. */
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
