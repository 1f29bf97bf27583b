import { isGranting } from "@leeway/drift/google-grants";
import type { DriftActor, DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import type { CloudResource } from "@leeway/connectors/connector";

/** A change whose actor is due to be looked up. */
interface DueActor {
  org_id: string;
  account_id: string;
  fingerprint: string;
}

/**
 * Returns changes of all organizations whose actor is due. After a try, a change is due again after that try's pause.
 */
export async function dueActors(
  sql: Statements,
  { pausesSeconds, atMost }: { pausesSeconds: readonly number[]; atMost: number },
): Promise<DueActor[]> {
  return sql<{ org_id: string; account_id: string; fingerprint: string }>`
    select org_id, account_id, fingerprint
      from inventory.due_actors(
             array(
               select make_interval(secs => p.seconds)
                 from unnest(${[...pausesSeconds]}::float8[]) with ordinality as p (seconds, place)
                order by p.place
             ),
             ${atMost}
           )
  `;
}

/** A change and its resource. */
export interface Sought {
  fingerprint: string;
  kind: DriftKind;
  resource: CloudResource;
  between: { since: Date; until: Date };
  /** `between` as PostgreSQL prints it, to the microsecond. */
  range: string;
}

interface SoughtRow extends Row {
  fingerprint: string;
  kind: DriftKind;
  provider_id: string;
  type: string;
  region: string | null;
  name: string | null;
  reported_type: string;
  since: Date;
  until: Date;
  range: string;
}

/**
 * Returns present changes without an actor, and their resources. A resource that is only declared is identified by
 * the full id in its state.
 */
export async function soughtOf(sql: OrgStatements, fingerprints: readonly string[]): Promise<Sought[]> {
  const rows = await sql<SoughtRow>`
    select s.*
      from (
        select c.fingerprint, c.kind, coalesce(l.provider_type, i.type) as type, coalesce(l.region, i.region) as region,
               l.name, c.reported_type,
               coalesce(
                 l.provider_resource_id, (select substr(key, 3) from unnest(i.keys) as key where key like '2:%' limit 1)
               ) as provider_id,
               lower(c.actor_between) as since, upper(c.actor_between) as until, c.actor_between::text as range
          from (
            select f.org_id, f.fingerprint, f.kind, f.actor_between, c.content::json->>'resource_type' as reported_type,
                   (c.content::json->>'live_resource_id')::uuid as live_id,
                   (c.content::json->>'iac_resource_id')::uuid as iac_id
              from inventory.drift_fingerprints f
              join inventory.drift_changes c
                on c.org_id = f.org_id
               and c.cloud_account_id = f.cloud_account_id
               and c.fingerprint = f.fingerprint
               and c.gone_at = 'infinity'
             where f.org_id = ${sql.orgId} and f.fingerprint = any (${[...fingerprints]})
               and f.actor is null
            offset 0 -- joined by a column: row-level security keeps indexes from joins by a function's result
          ) c
          left join inventory.live_resources l on l.org_id = ${sql.orgId} and l.id = c.live_id
          left join inventory.iac_resources i on i.org_id = ${sql.orgId} and i.id = c.iac_id
      ) s
     where s.provider_id is not null
  `;
  return rows.map(
    ({
      fingerprint,
      kind,
      provider_id: providerId,
      type,
      region,
      name,
      reported_type,
      since,
      until,
      range,
    }) => ({
      fingerprint,
      kind,
      resource: { providerId, type, ...present({ region, name }), isGrant: isGranting(reported_type) },
      between: { since, until },
      range,
    }),
  );
}

/** Stores the actor of a change, unless `actor_between` has changed since the lookup began. */
export async function keepActor(sql: OrgStatements, sought: Sought, actor: DriftActor): Promise<void> {
  await sql`
    update inventory.drift_fingerprints
       set actor = ${JSON.stringify(actor)}::text::jsonb, actor_due_at = null
     where org_id = ${sql.orgId}
       and fingerprint = ${sought.fingerprint}
       and actor_between = ${sought.range}::tstzrange
  `;
}

/** Stops the lookups for changes whose audit log can't be read. */
export async function giveUpActors(sql: OrgStatements, fingerprints: readonly string[]): Promise<void> {
  await sql`
    update inventory.drift_fingerprints
       set actor_due_at = null
     where org_id = ${sql.orgId}
       and fingerprint = any (${[...fingerprints]})
  `;
}

/** Makes changes due again and doesn't count their last try, which didn't query the log. */
export async function refundAttempts(sql: OrgStatements, fingerprints: readonly string[]): Promise<void> {
  await sql`
    update inventory.drift_fingerprints
       set actor_due_at = now(), actor_tries = actor_tries - 1
     where org_id = ${sql.orgId}
       and fingerprint = any (${[...fingerprints]})
       and actor is null
       and actor_tries > 0
  `;
}
