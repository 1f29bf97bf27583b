import type { IacResource } from "@leeway/shared/contracts/inventory/sources";
import type { OrgStatements, Row } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

interface DeclaredRow extends Row {
  id: string;
  source_id: string;
  address: string;
  type: string;
  provider_name: string | null;
  cloud_account_id: string | null;
  region: string | null;
  keys: string[];
  /** Keys of the live resource that it matches. */
  live_keys: string[] | null;
  status: IacResource["match"]["status"];
  live_resource_id: string | null;
  match_level: number | null;
  conflict: boolean;
  ambiguous: boolean;
  cloud: string;
  /** The account in its own identifiers, if that isn't connected. */
  unconnected: string | null;
}

function fromRow(row: DeclaredRow): IacResource {
  const matched = row.status === "matched";
  return {
    id: row.id,
    iac_source_id: row.source_id,
    address: row.address,
    type: row.type,
    ...present({
      provider_name: row.provider_name,
      cloud_account_id: row.cloud_account_id,
      region: row.region,
    }),
    match: {
      status: row.status,
      ...(matched && present({ live_resource_id: row.live_resource_id, key: keyOf(row) })),
      ...(row.conflict && { conflict: true }),
      ...(row.ambiguous && { ambiguous: true }),
      ...(row.unconnected !== null && notConnected(row.cloud, row.unconnected)),
      keys: row.keys.map((key) => key.slice(2)),
    },
  };
}

function notConnected(
  provider: string,
  external_id: string,
): Pick<IacResource["match"], "reason" | "account"> {
  return { reason: "account_not_connected", account: { provider, external_id } };
}

/** Returns the key of the match's level that both have. The live resource's keys may have changed since. */
function keyOf({ keys, live_keys, match_level }: DeclaredRow): string | undefined {
  const ofLevel = keys.filter((key) => key.startsWith(`${match_level}:`));
  return (ofLevel.find((key) => live_keys?.includes(key)) ?? ofLevel[0])?.slice(2);
}

const select = (sql: OrgStatements) => sql.part`
  select d.id, d.source_id, d.address, d.type, d.provider_name, d.cloud_account_id, d.region, d.keys, d.status,
         d.live_resource_id, d.match_level, l.keys as live_keys, coalesce(l.match_conflict, false) as conflict,
         d.status = 'unobserved' and exists (
           select from inventory.ambiguities u where u.org_id = ${sql.orgId} and u.iac_resource_id = d.id
         ) as ambiguous, d.cloud,
         case
           -- A project number can't be compared with a project id: an account known by one may be the account named by the other.
           when d.status = 'unobserved' and not exists (
             select
               from inventory.cloud_accounts o
              where o.org_id = ${sql.orgId}
                and o.cloud = d.cloud
                and (o.named_as = d.account or (o.named_as ~ '^\\d+$') <> (d.account ~ '^\\d+$'))
           ) then d.account
         end as unconnected
    from inventory.declared_resources d
    left join inventory.live_resources l on l.org_id = d.org_id and l.id = d.live_resource_id
`;

export async function getDeclared(sql: OrgStatements, id: string): Promise<IacResource | undefined> {
  const [row] = await sql<DeclaredRow>`
    ${select(sql)}
     where d.org_id = ${sql.orgId}
       and d.id = ${id}
  `;
  return row ? fromRow(row) : inlineDeclared(sql, id);
}

/** Returns an inline resource. It is in no list, but live resources that match it refer to it. */
async function inlineDeclared(sql: OrgStatements, id: string): Promise<IacResource | undefined> {
  const [row] = await sql<DeclaredRow>`
    select i.id, i.source_id, i.address, i.type, i.provider_name, m.cloud_account_id, i.region, i.keys,
           'matched' as status, l.id as live_resource_id, m.level as match_level, l.keys as live_keys,
           l.match_conflict as conflict, false as ambiguous, i.cloud, null as unconnected
      from inventory.placed_declarations i
      join inventory.matches m on m.org_id = i.org_id and m.iac_resource_id = i.id and not m.contested
      join inventory.live_resources l on l.org_id = m.org_id and l.id = m.live_resource_id
     where i.org_id = ${sql.orgId}
       and i.id = ${id}
       and i.inline
  `;
  return row && fromRow(row);
}

interface DeclaredFilter {
  sourceId: string | undefined;
  accountId: string | undefined;
  type: string | undefined;
  match: IacResource["match"]["status"] | undefined;
}

/** Returns a page of declared resources, by id. */
export async function listDeclared(
  sql: OrgStatements,
  { sourceId, accountId, type, match }: DeclaredFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<IacResource[]> {
  const { part } = sql;
  const rows = await sql<DeclaredRow>`
    ${select(sql)}
     where d.org_id = ${sql.orgId}
       ${after === undefined ? part`` : part`and d.id > ${after}`}
       ${sourceId === undefined ? part`` : part`and d.source_id = ${sourceId}`}
       ${accountId === undefined ? part`` : part`and d.cloud_account_id = ${accountId}`}
       ${type === undefined ? part`` : part`and d.type = ${type}`}
       ${match === undefined ? part`` : part`and d.status = ${match}`}
     order by d.id
     limit ${limit}
  `;
  return rows.map(fromRow);
}
