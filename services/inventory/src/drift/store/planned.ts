import { PendingChange } from "@leeway/shared/contracts/inventory/plans";
import type { Row, Transaction } from "@leeway/shared/database/database";
import { decode } from "@leeway/shared/decode";
import type { JsonObject } from "@leeway/shared/json";

/** How long a plan speaks for what runs, when no other comes after it. */
const KEPT_DAYS = 30;

/** Few enough that nobody waits long while they are judged. */
const CHANGES_A_BATCH = 250;

/** What a plan's refresh found of a resource of an account: an element of its `resource_drift`. */
export interface PlannedDrift extends PlannedPlace {
  resource: JsonObject;
}

/** What a plan is to do to a resource of an account. */
export interface PlannedChange extends PlannedPlace {
  change: PendingChange;
}

/** A resource that a plan tells of, and what else is known of it. */
export interface PlannedPlace {
  sourceId: string;
  address: string;
  plannedAt: Date;
  /** When the account was last listed. */
  listedAt: Date;
  /** Undefined for what the known state hasn't got. */
  declared: { id: string; status: "matched" | "missing" | "unobserved" } | undefined;
  live: { id: string; providerResourceId: string } | undefined;
}

interface PlannedRow extends Row {
  number: number;
  source_id: string;
  address: string;
  content: string;
  planned_at: Date;
  swept_at: Date;
  iac_resource_id: string | null;
  status: "matched" | "missing" | "unobserved" | null;
  live_resource_id: string | null;
  provider_resource_id: string | null;
}

/**
 * Puts into the temporary table `planned` what plans say of an account: of the one that a resource counts for, else of
 * its source's. Of a resource a plan tells once: what it has beside that is of deposed ones.
 */
export async function gatherPlanned(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    create temp table planned on commit drop as
    select row_number() over (partition by kind order by source_id, place)::integer as number, told.*
      from (
        select distinct on (p.source_id, p.kind, p.address)
               p.source_id, p.place, p.kind, p.address, p.content, s.planned_at, a.swept_at, d.id as iac_resource_id,
               d.status, l.id as live_resource_id, l.provider_resource_id
          from inventory.plan_changes p
          join inventory.iac_sources s on s.org_id = p.org_id and s.id = p.source_id
          join inventory.cloud_accounts a on a.org_id = p.org_id
          left join inventory.declared_resources d
            on d.org_id = p.org_id and d.source_id = p.source_id and d.address = p.address
          left join inventory.live_resources l on l.org_id = p.org_id and l.id = d.live_resource_id
         where p.org_id = ${tx.orgId}
           and a.id = ${accountId}
           and a.swept_at is not null
           and coalesce(d.cloud_account_id, s.cloud_account_id) = a.id
           and s.planned_at > now() - make_interval(days => ${KEPT_DAYS})
         order by p.source_id, p.kind, p.address, p.place
      ) told
  `;
}

/** What the refreshes found, batch by batch. */
export async function* plannedDrift(tx: Transaction): AsyncGenerator<PlannedDrift[]> {
  for await (const rows of batches(tx, "drift")) {
    yield rows.map((row) => ({ ...placeOf(row), resource: JSON.parse(row.content) }));
  }
}

/** What is to be applied, batch by batch. */
export async function* plannedChanges(tx: Transaction): AsyncGenerator<PlannedChange[]> {
  for await (const rows of batches(tx, "pending")) {
    yield rows.map((row) => ({ ...placeOf(row), change: decode(PendingChange, JSON.parse(row.content)) }));
  }
}

async function* batches(tx: Transaction, kind: "drift" | "pending"): AsyncGenerator<PlannedRow[]> {
  for (let after: number | undefined = 0; after !== undefined;) {
    const rows: PlannedRow[] = await tx<PlannedRow>`
      select number, source_id, address, content, planned_at, swept_at, iac_resource_id, status, live_resource_id,
             provider_resource_id
        from planned
       where kind = ${kind}
         and number > ${after}
       order by number
       limit ${CHANGES_A_BATCH}
    `;
    after = rows.at(-1)?.number;
    yield rows;
  }
}

function placeOf(row: PlannedRow): PlannedPlace {
  return {
    sourceId: row.source_id,
    address: row.address,
    plannedAt: row.planned_at,
    listedAt: row.swept_at,
    declared:
      row.iac_resource_id !== null && row.status !== null
        ? { id: row.iac_resource_id, status: row.status }
        : undefined,
    live:
      row.live_resource_id !== null && row.provider_resource_id !== null
        ? { id: row.live_resource_id, providerResourceId: row.provider_resource_id }
        : undefined,
  };
}
