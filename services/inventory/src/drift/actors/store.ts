import type { DriftActor, DriftKind } from "@leeway/shared/contracts/inventory/drift";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/json";

import type { CloudResource } from "../../connectors/connector.ts";
import { isGranting } from "../compare/google-grants.ts";

/** A change whose actor is to be looked for. */
interface DueActor {
  org_id: string;
  account_id: string;
  fingerprint: string;
}

/** Changes of every organization whose actor is due; each is due again after the pause that follows its try. */
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

/** A change, and the resource that it is of. */
export interface Sought {
  fingerprint: string;
  kind: DriftKind;
  resource: CloudResource;
  between: { since: Date; until: Date };
  /** The same as PostgreSQL has it, to the microsecond. */
  range: string;
}

interface SoughtRow extends Row {
  fingerprint: string;
  kind: DriftKind;
  provider_id: string;
  type: string;
  region: string | null;
  name: string | null;
  told_type: string;
  since: Date;
  until: Date;
  range: string;
}

/** The resources of changes that are there; what is only declared goes by the full id that its state names. */
export async function soughtOf(sql: OrgStatements, fingerprints: readonly string[]): Promise<Sought[]> {
  const rows = await sql<SoughtRow>`
    select s.*
      from (
        select f.fingerprint, f.kind, coalesce(l.provider_type, i.type) as type, coalesce(l.region, i.region) as region,
               l.name, c.content::json->>'resource_type' as told_type,
               coalesce(
                 l.provider_resource_id, (select substr(key, 3) from unnest(i.keys) as key where key like '2:%' limit 1)
               ) as provider_id,
               lower(f.actor_between) as since, upper(f.actor_between) as until, f.actor_between::text as range
          from inventory.drift_fingerprints f
          join inventory.drift_changes c
            on c.org_id = f.org_id
           and c.cloud_account_id = f.cloud_account_id
           and c.fingerprint = f.fingerprint
           and c.gone_at = 'infinity'
          left join inventory.live_resources l on l.org_id = f.org_id and l.id = (c.content::json->>'live_resource_id')::uuid
          left join inventory.iac_resources i on i.org_id = f.org_id and i.id = (c.content::json->>'iac_resource_id')::uuid
         where f.org_id = ${sql.orgId}
           and f.fingerprint = any (${[...fingerprints]})
           and f.actor is null
      ) s
     where s.provider_id is not null
  `;
  return rows.map(
    ({ fingerprint, kind, provider_id: providerId, type, region, name, told_type, since, until, range }) => ({
      fingerprint,
      kind,
      resource: { providerId, type, ...present({ region, name }), isGrant: isGranting(told_type) },
      between: { since, until },
      range,
    }),
  );
}

/** Keeps who made a change, unless it is another one by now. */
export async function keepActor(sql: OrgStatements, sought: Sought, actor: DriftActor): Promise<void> {
  await sql`
    update inventory.drift_fingerprints
       set actor = ${JSON.stringify(actor)}::text::jsonb, actor_due_at = null
     where org_id = ${sql.orgId}
       and fingerprint = ${sought.fingerprint}
       and actor_between = ${sought.range}::tstzrange
  `;
}

/** Looks for nobody any more: there is no log that may be read. */
export async function giveUpActors(sql: OrgStatements, fingerprints: readonly string[]): Promise<void> {
  await sql`
    update inventory.drift_fingerprints
       set actor_due_at = null
     where org_id = ${sql.orgId}
       and fingerprint = any (${[...fingerprints]})
  `;
}

/** Has actors that were due, and that nobody was asked about, be due as before. */
export async function giveBackTries(sql: OrgStatements, fingerprints: readonly string[]): Promise<void> {
  await sql`
    update inventory.drift_fingerprints
       set actor_due_at = now(), actor_tries = actor_tries - 1
     where org_id = ${sql.orgId}
       and fingerprint = any (${[...fingerprints]})
       and actor is null
       and actor_tries > 0
  `;
}
