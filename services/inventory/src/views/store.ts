import type { Actor } from "@leeway/shared/contracts/common";
import type { View, ViewPage } from "@leeway/shared/contracts/inventory/views";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";

interface ViewRow extends Row, Pick<View, "id" | "name" | "page" | "filter" | "shared" | "owner"> {
  created_at: Date;
  updated_at: Date;
}

const columns = ({ part }: Statements) => part`id, name, page, filter, shared, owner, created_at, updated_at`;

function fromRow({ created_at, updated_at, ...same }: ViewRow): View {
  return { ...same, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** Condition for views that a caller sees. */
const seenBy = ({ part }: Statements, caller: Actor) => part`(shared or owner = ${part.json(caller)})`;

/** Returns the views that a caller sees, by name. */
export async function listViews(
  sql: OrgStatements,
  caller: Actor,
  page: ViewPage | undefined,
): Promise<View[]> {
  const rows = await sql<ViewRow>`
    select ${columns(sql)}
      from inventory.views
     where org_id = ${sql.orgId}
       and ${seenBy(sql, caller)}
       ${page === undefined ? sql.part`` : sql.part`and page = ${page}`}
     order by lower(name), id
  `;
  return rows.map(fromRow);
}

/** Returns a view that a caller sees. */
export async function getView(sql: OrgStatements, id: string, caller: Actor): Promise<View | undefined> {
  const [row] = await sql<ViewRow>`
    select ${columns(sql)}
      from inventory.views
     where org_id = ${sql.orgId}
       and id = ${id}
       and ${seenBy(sql, caller)}
  `;
  return row && fromRow(row);
}

/** Returns those of the views that are shared, by id. */
export async function sharedViews(sql: OrgStatements, ids: readonly string[]): Promise<View[]> {
  const rows = await sql<ViewRow>`
    select ${columns(sql)}
      from inventory.views
     where org_id = ${sql.orgId}
       and id = any (${[...ids]}::uuid[])
       and shared
     order by id
  `;
  return rows.map(fromRow);
}

/** Makes changes of the organization's views wait for each other until the transaction ends. */
export async function lockViews(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`views ${tx.orgId}`}, 0))`;
}

export type StoredView = Pick<View, "id" | "name" | "page" | "filter" | "shared" | "owner">;

/** Counts the other views beside which a view is listed, shared ones or those of its owner, and those with its name. */
export async function countBeside(
  tx: Transaction,
  { id, name, page, shared, owner }: StoredView,
): Promise<{ all: number; namesakes: number }> {
  const [row] = await tx<{ all: number; namesakes: number }>`
    select count(*)::integer as "all", (count(*) filter (where name = ${name} and page = ${page}))::integer as namesakes
      from inventory.views
     where org_id = ${tx.orgId}
       and id <> ${id}
       and shared = ${shared}
       ${shared ? tx.part`` : tx.part`and owner = ${tx.part.json(owner)}`}
  `;
  return row ?? { all: 0, namesakes: 0 };
}

export async function insertView(
  tx: Transaction,
  { id, name, page, filter, shared, owner }: StoredView,
): Promise<void> {
  const { part } = tx;
  await tx`
    insert into inventory.views (org_id, id, name, page, filter, shared, owner)
    values (${tx.orgId}, ${id}, ${name}, ${page}, ${part.json(filter)}, ${shared}, ${part.json(owner)})
  `;
}

export async function updateView(tx: Transaction, { id, name, filter, shared }: StoredView): Promise<void> {
  await tx`
    update inventory.views
       set name = ${name}, filter = ${tx.part.json(filter)}, shared = ${shared}, updated_at = now()
     where org_id = ${tx.orgId}
       and id = ${id}
  `;
}

export async function deleteView(tx: Transaction, id: string): Promise<void> {
  await tx`delete from inventory.views where org_id = ${tx.orgId} and id = ${id}`;
}
