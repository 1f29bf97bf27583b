import type { DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

/** What to tell of some changes: how many of each kind, how bad, and the worst. */
export type ChangeNews = {
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
};

type Standing = {
  risk_level: RiskLevel;
  coverage_pct: number;
};

/** What there is to tell of a snapshot. */
export type SnapshotNews = {
  detected?: ChangeNews;
  resolved?: ChangeNews;
  degraded?: Standing & { prior: Standing };
};

const MOST_TOLD = 10;

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

/** What `drift_found` has that the account's last snapshot had not, or not with these values. Before it is settled. */
export async function detectedNews(tx: Transaction, accountId: string): Promise<ChangeNews | undefined> {
  const rows = await tx<NewsRow>`
    ${worstOf(tx)}
      from drift_found f
      left join inventory.drift_fingerprints s
        on s.org_id = ${tx.orgId}
       and s.fingerprint = f.fingerprint
       and s.cloud_account_id = ${accountId}
     where not f.hidden
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
    resource: row.resource,
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

/** Keeps what is to be told of a snapshot, until it has been told. */
export async function keepNews(tx: Transaction, snapshotId: string, news: SnapshotNews): Promise<void> {
  const kept = present(news);
  if (Object.keys(kept).length === 0) return;
  await tx`
    update inventory.drift_snapshots
       set news = ${tx.part.json(kept)}
     where org_id = ${tx.orgId}
       and id = ${snapshotId}
  `;
}

/** News of an account that haven't been told, oldest first. */
export async function untoldNews(
  sql: OrgStatements,
  accountId: string,
): Promise<{ snapshotId: string; at: Date; news: SnapshotNews }[]> {
  const rows = await sql<{ id: string; finished_at: Date; news: SnapshotNews }>`
    select id, finished_at, news
      from inventory.drift_snapshots
     where org_id = ${sql.orgId}
       and cloud_account_id = ${accountId}
       and news is not null
     order by id
  `;
  return rows.map(({ id, finished_at, news }) => ({ snapshotId: id, at: finished_at, news }));
}

export async function noteTold(sql: OrgStatements, snapshotId: string): Promise<void> {
  await sql`update inventory.drift_snapshots set news = null where org_id = ${sql.orgId} and id = ${snapshotId}`;
}
