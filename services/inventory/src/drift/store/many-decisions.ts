import type { Actor } from "@leeway/shared/contracts/common";
import { MAX_DECIDED, UNDOABLE_DAYS, type DriftDecision } from "@leeway/shared/contracts/inventory/decisions";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import type { Decided } from "./decisions.ts";
import { inPresent, type PresentFilter } from "./filters.ts";

/** The changes of a decision: those with fingerprints, or those that a filter matches. */
export interface Chosen {
  fingerprints: readonly string[] | undefined;
  filter: PresentFilter;
  /** Leaves out changes that are ignored. */
  keepsIgnored: boolean;
}

const chosenBy = (sql: OrgStatements, { fingerprints, filter, keepsIgnored }: Chosen) => {
  const { part } = sql;
  return part`
    f.org_id = ${sql.orgId}
    and f.gone_at is null
    ${keepsIgnored ? part`and not inventory.is_ignored(f.status, f.ignored_until)` : part``}
    and ${fingerprints ? part`f.fingerprint = any (${[...fingerprints]})` : matching(sql, filter)}
  `;
};

/** Condition for the fingerprints `f` of changes that the list would show. */
const matching = (sql: OrgStatements, filter: PresentFilter) => sql.part`
  exists (
    select
      from inventory.drift_changes c
     where c.org_id = ${sql.orgId}
       and c.cloud_account_id = f.cloud_account_id
       and c.fingerprint = f.fingerprint
       and ${inPresent(sql, filter).which}
  )
`;

/** Returns the accounts of the chosen changes, and the number of changes. */
export async function accountsOfChosen(
  tx: Transaction,
  chosen: Chosen,
): Promise<{ accountIds: string[]; count: number }> {
  const rows = await tx<{ id: string; count: number }>`
    select f.cloud_account_id as id, count(*)::integer as count
      from inventory.drift_fingerprints f
     where ${chosenBy(tx, chosen)}
     group by f.cloud_account_id
     order by f.cloud_account_id
  `;
  return { accountIds: rows.map(({ id }) => id), count: rows.reduce((sum, { count }) => sum + count, 0) };
}

/**
 * Stores a decision on the chosen changes of accounts, and what they had before, in one statement.
 * @returns the number of changes
 */
export async function decideChosen(
  tx: Transaction,
  { id, accountIds, chosen }: { id: string; accountIds: readonly string[]; chosen: Chosen },
  { status, until, reason, by }: Decided,
): Promise<number> {
  const decided = await tx`
    with chosen as (
      select f.fingerprint, f.cloud_account_id, f.status, f.ignored_until, f.reason, f.decided_by, f.decided_at
        from inventory.drift_fingerprints f
       where ${chosenBy(tx, chosen)}
         and f.cloud_account_id = any (${[...accountIds]}::uuid[])
       order by f.fingerprint
       limit ${MAX_DECIDED}
    ), kept as (
      insert into inventory.decided_changes (
        org_id, decision_id, fingerprint, cloud_account_id, status, ignored_until, reason, decided_by, decided_at
      )
      select ${tx.orgId}, ${id}, fingerprint, cloud_account_id, status, ignored_until, reason, decided_by, decided_at
        from chosen
      ${tx.withoutCopy}
    )
    update inventory.drift_fingerprints f
       set status = ${status}, ignored_until = ${until ?? null}::timestamptz, reason = ${reason ?? null},
           decided_by = ${tx.part.json(by)}, decided_at = now(), decision_id = ${id}
      from chosen
     where f.org_id = ${tx.orgId}
       and f.fingerprint = chosen.fingerprint
  `;
  return decided.count;
}

/** Records a decision on `count` changes. */
export async function insertDecision(
  tx: Transaction,
  id: string,
  { status, until, reason, by, count }: Decided & { count: number },
): Promise<void> {
  await tx`
    insert into inventory.drift_decisions (org_id, id, status, ignored_until, reason, decided_by, decided_count)
    values (
      ${tx.orgId}, ${id}, ${status}, ${until ?? null}, ${reason ?? null}, ${tx.part.json(by)}, ${count}
    )
  `;
}

/** Returns the accounts of a decision's changes, in the order in which they are locked. */
export async function accountsOfDecision(tx: Transaction, id: string): Promise<string[]> {
  const rows = await tx<{ id: string }>`
    select distinct cloud_account_id as id
      from inventory.decided_changes
     where org_id = ${tx.orgId}
       and decision_id = ${id}
     order by cloud_account_id
  `;
  return rows.map((row) => row.id);
}

/**
 * Gives changes back what they had before a decision, unless there was a later one or they have other values.
 * @returns the number of changes; undefined if the decision is undone already, or too old
 */
export async function undoDecision(tx: Transaction, id: string): Promise<number | undefined> {
  const [undone] = await tx`
    update inventory.drift_decisions
       set undone_at = now()
     where org_id = ${tx.orgId}
       and id = ${id}
       and undone_at is null
       and created_at > now() - make_interval(days => ${UNDOABLE_DAYS})
    returning id
  `;
  if (!undone) return undefined;
  const restored = await tx`
    update inventory.drift_fingerprints f
       set status = d.status, ignored_until = d.ignored_until, reason = d.reason, decided_by = d.decided_by,
           decided_at = d.decided_at, decision_id = null
      from inventory.decided_changes d
      join inventory.drift_decisions o on o.org_id = d.org_id and o.id = d.decision_id
     where d.org_id = ${tx.orgId}
       and d.decision_id = ${id}
       and f.org_id = ${tx.orgId}
       and f.fingerprint = d.fingerprint
       and f.decision_id = ${id}
       and f.status = o.status
  `;
  await tx`
    update inventory.drift_decisions set restored_count = ${restored.count} where org_id = ${tx.orgId} and id = ${id}
  `;
  return restored.count;
}

interface DecisionRow extends Row {
  id: string;
  status: DriftDecision["status"];
  ignored_until: Date | null;
  reason: string | null;
  decided_by: Actor;
  decided_count: number;
  created_at: Date;
  undoable_until: Date;
  undone_at: Date | null;
  restored_count: number | null;
}

const select = (sql: Statements) => sql.part`
  select id, status, ignored_until, reason, decided_by, decided_count, created_at, undone_at, restored_count,
         created_at + make_interval(days => ${UNDOABLE_DAYS}) as undoable_until
    from inventory.drift_decisions
`;

function fromRow({ ignored_until, reason, undone_at, restored_count, ...row }: DecisionRow): DriftDecision {
  return {
    ...row,
    ...present({
      until: ignored_until?.toISOString(),
      reason,
      undone_at: undone_at?.toISOString(),
      restored_count,
    }),
    created_at: row.created_at.toISOString(),
    undoable_until: row.undoable_until.toISOString(),
  };
}

export async function getDecision(sql: OrgStatements, id: string): Promise<DriftDecision | undefined> {
  const [row] = await sql<DecisionRow>`${select(sql)} where org_id = ${sql.orgId} and id = ${id}`;
  return row && fromRow(row);
}

/** Returns a page of decisions, newest first. */
export async function listDecisions(
  sql: OrgStatements,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<DriftDecision[]> {
  const rows = await sql<DecisionRow>`
    ${select(sql)}
     where org_id = ${sql.orgId}
       and (${before ?? null}::uuid is null or id < ${before ?? null})
     order by id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}
