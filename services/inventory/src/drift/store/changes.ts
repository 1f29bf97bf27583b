import type { Effects } from "@leeway/rules/rule-set";
import type { DriftChange, DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { filtered, inPresent, withFingerprint, type ChangeFilter, type PresentFilter } from "./filters.ts";
import { orderOf, type ChangeOrder, type Order, type Window } from "./order.ts";

export interface ChangeRow extends Row {
  id: string;
  cloud_account_id: string;
  fingerprint: string;
  kind: DriftKind;
  risk_level: RiskLevel;
  content: string;
  first_seen_at: Date;
  seen_count: number;
  status: DriftChange["disposition"]["status"];
  ignored_until: Date | null;
  reason: string | null;
  decided_by: DriftChange["disposition"]["by"] | null;
  decided_at: Date | null;
  actor: DriftChange["actor"] | null;
  effects: Effects | null;
}

/** The keys by which the changes of a finished snapshot are found. */
export interface SnapshotPlace {
  accountId: string;
  number: number;
  finishedAt: Date;
}

export function fromRow(row: ChangeRow): DriftChange {
  return {
    ...JSON.parse(row.content),
    id: row.id,
    cloud_account_id: row.cloud_account_id,
    kind: row.kind,
    risk_level: row.risk_level,
    fingerprint: row.fingerprint,
    first_seen_at: row.first_seen_at.toISOString(),
    seen_count: row.seen_count,
    disposition: dispositionOf(row),
    ...present({ actor: row.actor }),
    ...effectsOf(row),
  };
}

function effectsOf({ effects }: ChangeRow): Pick<DriftChange, "hidden_by" | "raised" | "labels"> {
  const { hidden_by, raised, labels } = effects ?? {};
  return present({ hidden_by, raised, labels });
}

/** Returns the status of a change, and the decision about it unless it is open again. */
function dispositionOf({
  status,
  ignored_until,
  reason,
  decided_by,
  decided_at,
}: ChangeRow): DriftChange["disposition"] {
  if (status === "open") return { status };
  return {
    status,
    ...present({
      until: status === "ignored" ? ignored_until?.toISOString() : undefined,
      reason,
      by: decided_by,
      at: decided_at?.toISOString(),
    }),
  };
}

const status = (sql: Statements) => sql.part`
  case
    when f.gone_at is not null then 'resolved'
    when f.status = 'ignored' and not inventory.is_ignored(f.status, f.ignored_until) then 'open'
    else f.status
  end
`;

export const select = (
  sql: Statements,
  changes = sql.part`inventory.drift_changes`,
  more = sql.part``,
) => sql.part`
  select ${more} c.id, c.cloud_account_id, c.fingerprint, c.kind, c.risk_level, c.content, c.effects, f.first_seen_at,
         f.ignored_until, f.reason, f.decided_by, f.decided_at, f.actor, ${status(sql)} as status,
         f.seen_before + case when f.gone_at is null then a.drift_number - f.from_number + 1 else 0 end as seen_count
    from ${changes} c
    ${withFingerprint(sql)}
    join inventory.cloud_accounts a on a.org_id = c.org_id and a.id = c.cloud_account_id
`;

/**
 * Condition for the changes of a snapshot. The bound of `gone_at` skips partitions with older changes; the hour
 * allows for differing clocks.
 */
const within = (sql: Statements, { accountId, number, finishedAt }: SnapshotPlace) => sql.part`
  c.cloud_account_id = ${accountId}
  and c.gone_at > ${finishedAt}::timestamptz - interval '1 hour'
  and c.from_number <= ${number}
  and (c.until_number is null or c.until_number > ${number})
`;

/** A change, and its key in a sorted list. */
export interface PlacedChange {
  id: string;
  change: DriftChange;
}

/** Returns a page of the changes that accounts have now, or that are gone since a time. */
export async function listPresent(
  sql: OrgStatements,
  filter: PresentFilter,
  { sort = "risk", ...window }: Window & { sort?: ChangeOrder | undefined },
): Promise<PlacedChange[]> {
  const order = orderOf(sql, sort);
  return listPage(sql, { window, order, ...inPresent(sql, filter, { decided: order.isOfFingerprint }) });
}

/** Returns a page of the changes that a snapshot had. */
export async function listWithin(
  sql: OrgStatements,
  place: SnapshotPlace,
  {
    filter,
    window,
  }: { filter: ChangeFilter & { ignored: "exclude" | "include" | undefined }; window: Window },
): Promise<PlacedChange[]> {
  const { part } = sql;
  const isPassedOver = filter.ignored === "exclude";
  return listPage(sql, {
    window,
    from: isPassedOver ? withFingerprint(sql) : part``,
    which: part`
      ${within(sql, place)}
      ${filtered(sql, filter)}
      ${isPassedOver ? part`and (f.gone_at is not null or not inventory.is_ignored(f.status, f.ignored_until))` : part``}
    `,
  });
}

type Part = ReturnType<typeof withFingerprint>;

interface PageOf {
  window: Window;
  order?: Order;
  from: Part;
  which: Part;
}

/** Selects the page before joining other tables, because the planner has no statistics of newly added rows. */
async function listPage(
  sql: OrgStatements,
  { window: { after, limit }, order = orderOf(sql, "risk"), from, which }: PageOf,
): Promise<PlacedChange[]> {
  const { part } = sql;
  const page = part`(
    select c.*
      from inventory.drift_changes c
      ${from}
     where c.org_id = ${sql.orgId}
       and ${which}
       ${after === undefined ? part`` : order.after(after)}
     ${order.by}
     limit ${limit}
  )`;
  const rows = await sql<ChangeRow & { place: string }>`
    ${select(sql, page, part`${order.key}::text as place,`)}
     ${order.by}
  `;
  return rows.map(({ place, ...row }) => ({ id: `${place} ${row.id}`, change: fromRow(row) }));
}

/** Returns the present change with a fingerprint. */
export async function getPresent(sql: OrgStatements, fingerprint: string): Promise<DriftChange | undefined> {
  const [row] = await sql<ChangeRow>`
    ${select(sql)}
     where c.org_id = ${sql.orgId}
       and c.fingerprint = ${fingerprint}
       and c.cloud_account_id = f.cloud_account_id
       and c.gone_at = 'infinity'
       and f.fingerprint = ${fingerprint}
  `;
  return row && fromRow(row);
}

/** Condition for the changes that are neither noise nor hidden by a rule. */
const shown = (sql: Statements) => sql.part`not c.hidden and c.hidden_by is null`;

/** Counts the shown changes that one snapshot has and another lacks, and returns the worst of them. */
export async function changesBeyond(
  sql: OrgStatements,
  place: SnapshotPlace,
  { other, most }: { other: SnapshotPlace; most: number },
): Promise<{ changes: DriftChange[]; count: number }> {
  const lacking = sql.part`
    and ${shown(sql)}
    and not exists (
      select from (
        select c.fingerprint as known
          from inventory.drift_changes c
         where c.org_id = ${sql.orgId}
           and ${shown(sql)}
           and ${within(sql, other)}
      ) others where others.known = c.fingerprint
    )
  `;
  const [counted] = await sql<{ count: number }>`
    select count(*)::integer as count
      from inventory.drift_changes c
     where c.org_id = ${sql.orgId}
       and ${within(sql, place)}
       ${lacking}
  `;
  const count = counted?.count ?? 0;
  if (count === 0) return { changes: [], count };
  const which = sql.part`${within(sql, place)} ${lacking}`;
  const window = { after: undefined, limit: most };
  const worst = await listPage(sql, { window, from: sql.part``, which });
  return { changes: worst.map(({ change }) => change), count };
}

/** Counts the shown changes of a snapshot. */
export async function countWithin(sql: OrgStatements, place: SnapshotPlace): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::integer as count
      from inventory.drift_changes c
     where c.org_id = ${sql.orgId}
       and ${shown(sql)}
       and ${within(sql, place)}
  `;
  return row?.count ?? 0;
}
