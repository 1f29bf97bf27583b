import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { OrgStatements } from "@leeway/shared/database/database";

/** The type's number in PostgreSQL. */
const BYTEA = 17;

/** A verified call, about to be stored. */
export interface Incoming {
  id: string;
  configId: string;
  source: Source;
  kind: string | undefined;
  sha256: Buffer;
  size: number;
  /** Why it is ignored; absent when it waits to be worked off. */
  ignored: string | undefined;
  sealed: Buffer;
}

/**
 * Stores calls of different bodies, in one statement, but for those whose body is known since less than
 * `dedupeHours`. One that failed is taken anew when it is sent again.
 * @returns the ids of those that were stored
 */
export async function storeIncoming(
  sql: OrgStatements,
  calls: readonly Incoming[],
  dedupeHours: number,
): Promise<Set<string>> {
  // In the order of the key: two who store the same bodies wait for each other, but never both ways.
  const ordered = calls.toSorted((a, b) => a.sha256.compare(b.sha256));
  // Of bytes the driver would take the list for one of them.
  const bytes = (of: (call: Incoming) => Buffer) => sql.part.array(ordered.map(of), BYTEA);
  const rows = await sql<{ id: string }>`
    with given as (
      select id, config_id, source, kind, body_sha256, size, ignored, sealed
        from unnest(
               ${ordered.map(({ id }) => id)}::uuid[],
               ${ordered.map(({ configId }) => configId)}::uuid[],
               ${ordered.map(({ source }) => source)}::text[],
               ${ordered.map(({ kind }) => kind ?? null)}::text[],
               ${bytes(({ sha256 }) => sha256)},
               ${ordered.map(({ size }) => size)}::integer[],
               ${ordered.map(({ ignored }) => ignored ?? null)}::text[],
               ${bytes(({ sealed }) => sealed)}
             ) as call (id, config_id, source, kind, body_sha256, size, ignored, sealed)
    ), fresh as (
      insert into webhooks.recent_bodies as known (org_id, source, body_sha256, delivery_id)
      select ${sql.orgId}, source, body_sha256, id from given
      on conflict (org_id, source, body_sha256) do update
         set delivery_id = excluded.delivery_id, received_at = now()
       where known.received_at < now() - make_interval(hours => ${dedupeHours})
          or exists (
               select from webhooks.deliveries d
                where d.org_id = known.org_id and d.id = known.delivery_id and d.outcome = 'failed'
             )
      returning delivery_id
    ), stored as (
      insert into webhooks.deliveries (
        org_id, id, config_id, source, kind, body_sha256, size, outcome, reason, processed_at
      )
      select ${sql.orgId}, g.id, g.config_id, g.source, g.kind, g.body_sha256, g.size,
             case when g.ignored is null then 'pending' else 'ignored' end, g.ignored,
             case when g.ignored is not null then now() end
        from given g
        join fresh f on f.delivery_id = g.id
    ), kept as (
      insert into webhooks.bodies (org_id, id, sealed)
      select ${sql.orgId}, g.id, g.sealed
        from given g
        join fresh f on f.delivery_id = g.id
    )
    select delivery_id as id from fresh
  `;
  return new Set(rows.map(({ id }) => id));
}

/** The delivery that brought a body first; undefined when none did of late. */
export async function firstDelivery(
  sql: OrgStatements,
  source: Source,
  sha256: Buffer,
): Promise<string | undefined> {
  const [row] = await sql<{ delivery_id: string }>`
    select delivery_id
      from webhooks.recent_bodies
     where org_id = ${sql.orgId}
       and source = ${source}
       and body_sha256 = ${sha256}
  `;
  return row?.delivery_id;
}
