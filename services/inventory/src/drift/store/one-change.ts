import type { DriftChangeDetail } from "@leeway/shared/contracts/inventory/drift-reads";
import type { Actor } from "@leeway/shared/contracts/common";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { fromRow, select, type ChangeRow } from "./changes.ts";

const MAX_VERSIONS = 50;

type Decisions = NonNullable<DriftChangeDetail["decisions"]>;

/** Returns a change that an account has or had, with its history; undefined if no account ever had it. */
export async function findChange(
  sql: OrgStatements,
  fingerprint: string,
): Promise<DriftChangeDetail | undefined> {
  const [row] = await sql<ChangeRow>`
    ${select(sql)}
     where c.org_id = ${sql.orgId}
       and c.fingerprint = ${fingerprint}
       and c.cloud_account_id = f.cloud_account_id
       and f.fingerprint = ${fingerprint}
     order by c.gone_at desc
     limit 1
  `;
  if (!row) return undefined;
  const change = fromRow(row);
  const [versions, decisions, source] = await Promise.all([
    versionsOf(sql, row),
    decisionsOn(sql, fingerprint),
    change.iac_resource_id === undefined ? undefined : sourceOf(sql, change.iac_resource_id),
  ]);
  return { ...change, versions, decisions, ...present({ source }) };
}

interface VersionRow extends Row {
  risk_level: RiskLevel;
  attribute_changes: DriftChangeDetail["attribute_changes"];
  begun_at: Date | null;
  ended_at: Date | null;
}

async function versionsOf(
  sql: OrgStatements,
  { fingerprint, cloud_account_id: accountId }: ChangeRow,
): Promise<DriftChangeDetail["versions"]> {
  const finished = (number: ReturnType<typeof sql.part>) => sql.part`
    select s.finished_at
      from inventory.drift_snapshots s
     where s.org_id = ${sql.orgId}
       and s.cloud_account_id = c.cloud_account_id
       and s.number = ${number}
     limit 1
  `;
  const rows = await sql<VersionRow>`
    select c.risk_level, c.content::jsonb -> 'attribute_changes' as attribute_changes,
           (${finished(sql.part`c.from_number`)}) as begun_at, (${finished(sql.part`c.until_number`)}) as ended_at
      from inventory.drift_changes c
     where c.org_id = ${sql.orgId}
       and c.cloud_account_id = ${accountId}
       and c.fingerprint = ${fingerprint}
     order by c.gone_at desc
     limit ${MAX_VERSIONS}
  `;
  // The snapshot in which a version began may be past its retention.
  return rows.flatMap(({ risk_level, attribute_changes, begun_at, ended_at }) =>
    begun_at === null
      ? []
      : [
          {
            risk_level,
            attribute_changes,
            from: begun_at.toISOString(),
            ...present({ until: ended_at?.toISOString() }),
          },
        ],
  );
}

interface DecisionRow extends Row {
  status: Decisions[number]["status"];
  at: Date;
  ignored_until: Date | null;
  reason: string | null;
  decided_by: Actor | null;
}

async function decisionsOn(sql: OrgStatements, fingerprint: string): Promise<Decisions> {
  const rows = await sql<DecisionRow>`
    select status, at, ignored_until, reason, decided_by
      from inventory.decision_history
     where org_id = ${sql.orgId}
       and fingerprint = ${fingerprint}
     order by at desc
     limit ${MAX_VERSIONS}
  `;
  return rows.map(({ status, at, ignored_until: until, reason, decided_by: by }) => ({
    status,
    at: at.toISOString(),
    ...present({ until: until?.toISOString(), reason, by }),
  }));
}

interface SourceRow extends Row {
  id: string;
  name: string;
  repository: string | null;
  repository_host: string | null;
  planned_at: Date | null;
  planned: "drift" | "pending" | null;
}

async function sourceOf(sql: OrgStatements, declaredId: string): Promise<DriftChangeDetail["source"]> {
  const [row] = await sql<SourceRow>`
    select s.id, s.name, s.repository, coalesce(s.repository_host, s.repository_kind) as repository_host,
           s.planned_at,
           (select p.kind
              from inventory.plan_changes p
             where p.org_id = ${sql.orgId}
               and p.source_id = s.id
               and p.address = d.address
             order by p.kind desc
             limit 1) as planned
      from inventory.iac_resources d
      join inventory.iac_sources s on s.org_id = d.org_id and s.id = d.source_id
     where d.org_id = ${sql.orgId}
       and d.id = ${declaredId}
  `;
  if (!row) return undefined;
  const { repository: path, repository_host: host } = row;
  return {
    id: row.id,
    name: row.name,
    ...(path !== null && { repository: { path, ...present({ host }) } }),
    ...present({ planned_at: row.planned_at?.toISOString(), planned: row.planned }),
  };
}
