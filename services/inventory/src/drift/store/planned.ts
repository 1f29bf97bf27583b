import { PendingChange } from "@leeway/shared/contracts/inventory/plans";
import type { Row, Transaction } from "@leeway/shared/database/database";
import { decode } from "@leeway/shared/decode";
import type { JsonObject } from "@leeway/shared/json";

/** How long a plan speaks for what runs, when no other comes after it. */
const KEPT_DAYS = 30;

/** What a plan says of one resource of an account, and what is known of that resource. */
export type Planned = PlannedPlace &
  ({ kind: "drift"; resource: JsonObject } | { kind: "pending"; change: PendingChange });

interface PlannedPlace {
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
  source_id: string;
  address: string;
  kind: "drift" | "pending";
  content: string;
  planned_at: Date;
  swept_at: Date;
  iac_resource_id: string | null;
  status: "matched" | "missing" | "unobserved" | null;
  live_resource_id: string | null;
  provider_resource_id: string | null;
}

/** What plans say of an account: of a source's own account, else of the one that a resource's identifiers name. */
export async function plannedIn(tx: Transaction, accountId: string): Promise<Planned[]> {
  const rows = await tx<PlannedRow>`
    select p.source_id, p.address, p.kind, p.content, s.planned_at, a.swept_at, d.id as iac_resource_id, d.status,
           l.id as live_resource_id, l.provider_resource_id
      from inventory.plan_changes p
      join inventory.iac_sources s on s.org_id = p.org_id and s.id = p.source_id
      join inventory.cloud_accounts a on a.org_id = p.org_id
      left join inventory.declared_resources d
        on d.org_id = p.org_id and d.source_id = p.source_id and d.address = p.address
      left join inventory.live_resources l on l.org_id = p.org_id and l.id = d.live_resource_id
     where p.org_id = ${tx.orgId}
       and a.id = ${accountId}
       and a.swept_at is not null
       and coalesce(s.cloud_account_id, d.cloud_account_id) = a.id
       and s.planned_at > now() - make_interval(days => ${KEPT_DAYS})
     order by p.source_id, p.place
  `;
  return rows.map(fromRow);
}

function fromRow(row: PlannedRow): Planned {
  const place: PlannedPlace = {
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
  const content: unknown = JSON.parse(row.content);
  if (row.kind === "pending") return { ...place, kind: "pending", change: decode(PendingChange, content) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written as a JSON object
  return { ...place, kind: "drift", resource: content as JsonObject };
}
