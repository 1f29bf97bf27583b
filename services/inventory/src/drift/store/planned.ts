import type { PlannedChange, PlannedDrift, PlannedPlace } from "@leeway/drift/changes/plan-findings";
import type { Row, Transaction } from "@leeway/shared/database/database";

/** Age after which a plan no longer counts, in days. */
const KEPT_DAYS = 30;

/** Small enough that other work doesn't wait long while a batch is judged. */
const CHANGES_A_BATCH = 250;

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
 * Creates the temporary table `planned` with the plans' entries for an account: the account of the resource, or of
 * its source if the resource has none. Only the first entry of a resource counts. The others are of deposed objects.
 */
export async function gatherPlanned(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    create temp table planned on commit drop as
    select row_number() over (partition by kind order by source_id, place)::integer as number, entries.*
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
      ) entries
  `;
}

/** Returns the differences that refreshes found, in batches. */
export async function* plannedDrift(tx: Transaction): AsyncGenerator<PlannedDrift[]> {
  for await (const rows of batches(tx, "drift")) {
    yield rows.map((row) => ({ ...placeOf(row), content: row.content }));
  }
}

/** Returns the changes to be applied, in batches. */
export async function* plannedChanges(tx: Transaction): AsyncGenerator<PlannedChange[]> {
  for await (const rows of batches(tx, "pending")) {
    yield rows.map((row) => ({ ...placeOf(row), content: row.content }));
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
