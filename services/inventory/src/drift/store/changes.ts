import type { DriftChange, DriftKind } from "@leeway/shared/contracts/inventory/drift";
import { RISK_LEVELS, type RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

interface ChangeRow extends Row {
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
  actor: DriftChange["actor"] | null;
}

/** A finished snapshot, as its changes are found. */
export interface SnapshotPlace {
  accountId: string;
  number: number;
  finishedAt: Date;
}

export interface ChangeFilter {
  kind: DriftKind | undefined;
  riskLevel: RiskLevel | undefined;
  noise: "exclude" | "only" | "include" | undefined;
}

function fromRow(row: ChangeRow): DriftChange {
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
  };
}

/** What was decided about it counts for nothing more once it is open again. */
function dispositionOf({ status, ignored_until, reason, decided_by }: ChangeRow): DriftChange["disposition"] {
  if (status === "open") return { status };
  return {
    status,
    ...present({
      until: status === "ignored" ? ignored_until?.toISOString() : undefined,
      reason,
      by: decided_by,
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

/** What a decision comes to, in words that the planner can estimate. */
const DECIDED = {
  open: ({ part }: Statements) =>
    part`(f.status = 'open' or f.status = 'ignored' and not inventory.is_ignored(f.status, f.ignored_until))`,
  acknowledged: ({ part }: Statements) => part`f.status = 'acknowledged'`,
  ignored: ({ part }: Statements) =>
    part`f.status = 'ignored' and inventory.is_ignored(f.status, f.ignored_until)`,
};

const withFingerprint = (sql: Statements) => sql.part`
  join inventory.drift_fingerprints f on f.org_id = c.org_id and f.fingerprint = c.fingerprint
`;

const select = (sql: Statements, changes = sql.part`inventory.drift_changes`) => sql.part`
  select c.id, c.cloud_account_id, c.fingerprint, c.kind, c.risk_level, c.content, f.first_seen_at, f.ignored_until,
         f.reason, f.decided_by, f.actor, ${status(sql)} as status,
         f.seen_before + case when f.gone_at is null then a.drift_number - f.from_number + 1 else 0 end as seen_count
    from ${changes} c
    ${withFingerprint(sql)}
    join inventory.cloud_accounts a on a.org_id = c.org_id and a.id = c.cloud_account_id
`;

/**
 * Which rows a snapshot has. What went before it is in partitions that needn't be looked at; an hour is more than
 * clocks differ.
 */
const within = (sql: Statements, { accountId, number, finishedAt }: SnapshotPlace) => sql.part`
  c.cloud_account_id = ${accountId}
  and c.gone_at > ${finishedAt}::timestamptz - interval '1 hour'
  and c.from_number <= ${number}
  and (c.until_number is null or c.until_number > ${number})
`;

const filtered = (sql: Statements, { kind, riskLevel, noise = "exclude" }: ChangeFilter) => sql.part`
  ${kind === undefined ? sql.part`` : sql.part`and c.kind = ${kind}`}
  ${riskLevel === undefined ? sql.part`` : sql.part`and inventory.risk_rank(c.risk_level) = inventory.risk_rank(${riskLevel})`}
  ${noise === "include" ? sql.part`` : sql.part`and c.hidden = ${noise === "only"}`}
`;

/** Worst first; the key of a page's last row is its level's place and its id. */
const worstFirst = (sql: Statements, { after, limit }: Window) => {
  const [rank = "", id = ""] = after?.split(" ") ?? [];
  return sql.part`
    ${after === undefined ? sql.part`` : sql.part`and (inventory.risk_rank(c.risk_level), c.id) > (${Number(rank)}, ${id}::uuid)`}
     order by inventory.risk_rank(c.risk_level), c.id
     limit ${limit}
  `;
};

interface Window {
  /** The `id` of a `PlacedChange`. */
  after: string | undefined;
  limit: number;
}

/** A change, and the key of its place in a list. */
export interface PlacedChange {
  id: string;
  change: DriftChange;
}

function placed(change: DriftChange): PlacedChange {
  return { id: `${RISK_LEVELS.indexOf(change.risk_level) + 1} ${change.id}`, change };
}

/** A page of the changes that accounts have now. */
export async function listPresent(
  sql: OrgStatements,
  {
    accountId,
    disposition,
    ...filter
  }: ChangeFilter & { accountId: string | undefined; disposition: keyof typeof DECIDED | undefined },
  window: Window,
): Promise<PlacedChange[]> {
  const { part } = sql;
  return listPage(sql, {
    window,
    from: disposition === undefined ? part`` : withFingerprint(sql),
    which: part`
      c.gone_at = 'infinity'
      ${accountId === undefined ? part`` : part`and c.cloud_account_id = ${accountId}`}
      ${disposition === undefined ? part`` : part`and f.gone_at is null and ${DECIDED[disposition](sql)}`}
      ${filtered(sql, filter)}
    `,
  });
}

/** A page of the changes that a snapshot had. */
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

/** The page is found before anything is joined to it: of rows that came a moment ago the planner knows nothing. */
async function listPage(
  sql: OrgStatements,
  { window, from, which }: { window: Window; from: Part; which: Part },
): Promise<PlacedChange[]> {
  const page = sql.part`(
    select c.*
      from inventory.drift_changes c
      ${from}
     where c.org_id = ${sql.orgId}
       and ${which}
       ${worstFirst(sql, window)}
  )`;
  const rows = await sql<ChangeRow>`
    ${select(sql, page)}
     order by inventory.risk_rank(c.risk_level), c.id
  `;
  return rows.map((row) => placed(fromRow(row)));
}

/** The change of that fingerprint that is there now. */
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

/** How many changes a snapshot has that another has not, and the worst of them; noise is left out. */
export async function changesBeyond(
  sql: OrgStatements,
  place: SnapshotPlace,
  { other, most }: { other: SnapshotPlace; most: number },
): Promise<{ changes: DriftChange[]; count: number }> {
  const lacking = sql.part`
    and not c.hidden
    and not exists (
      select from (
        select c.fingerprint as known
          from inventory.drift_changes c
         where c.org_id = ${sql.orgId}
           and not c.hidden
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

/** How many changes a snapshot has, without noise. */
export async function countWithin(sql: OrgStatements, place: SnapshotPlace): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::integer as count
      from inventory.drift_changes c
     where c.org_id = ${sql.orgId}
       and not c.hidden
       and ${within(sql, place)}
  `;
  return row?.count ?? 0;
}
