import type { LiveResource } from "@leeway/shared/contracts/inventory/resources";
import type { Several } from "@leeway/shared/contracts/several";
import type { OrgStatements, Row, Statements } from "@leeway/shared/database/database";
import type { PageRows } from "@leeway/shared/bus/pages";

import { andChosen, tagged, type Part } from "../chosen.ts";

/** Filters of a list of live resources. */
export interface ResourceFilter {
  accountId: Several | undefined;
  normalizedType: Several | undefined;
  providerType: Several | undefined;
  region?: Several | undefined;
  /** `team=data`, or `team` for any value. */
  tag?: Several | undefined;
  /** Module that declares it. */
  moduleAddress?: Several | undefined;
  match: Several | undefined;
  /** Whether to leave out resources that an exclusion rule matches. */
  isCounted?: boolean;
  enrichmentStatus: Several | undefined;
  /** Part of the name, of the provider's id, of a tag or of the declared address. */
  q: string | undefined;
  /** RFC 3339. */
  seenSince: string | undefined;
  /** RFC 3339. */
  firstSeenSince?: string | undefined;
}

/**
 * Live resource as the JSON of the answer. Values that need no quoting aren't quoted, and `||` takes two thirds of
 * the time of `concat`.
 */
const json = (sql: Statements) => sql.part`
  '{"id":"' || l.id || '","cloud_account_id":"' || l.cloud_account_id || '","provider":"' || a.provider
    || '","provider_resource_id":' || to_json(l.provider_resource_id)
    || ',"provider_type":' || to_json(l.provider_type) || ',"normalized_type":"' || l.normalized_type || '"'
    || coalesce(',"region":' || to_json(l.region), '')
    || coalesce(',"name":' || to_json(l.name), '')
    || coalesce(',"iac_resource_id":"' || l.iac_resource_id || '"', '')
    || ',"enrichment_status":"' || l.enrichment_status || '"'
    || coalesce(',"enriched_at":' || ${timestamp(sql, sql.part`l.enriched_at`)}, '')
    || ',"match":{"status":"' || l.match_status || '"'
    || coalesce(',"level":"' || (array['identity', 'id', 'type_id', 'name', 'owner'])[l.match_level]
    || '","confidence":' || (array['1', '1', '1', '0.8', '0.9'])[l.match_level], '')
    || case when l.match_conflict then ',"conflict":true}' else '}' end
    || case when l.match_status = 'excluded' then coalesce(',"excluded_by":"' || l.exclusion || '"', '') else '' end
    || ',"first_seen_at":' || ${timestamp(sql, sql.part`l.first_seen_at`)}
    || ',"last_seen_at":' || ${timestamp(sql, sql.part`coalesce(l.overlooked_since, greatest(l.seen_at, a.swept_at))`)}
    || '}'
`;

const timestamp = (sql: Statements, of: ReturnType<Statements["part"]>) =>
  sql.part`replace(to_json(${of})::text, '+00:00', 'Z')`;

/** A statement's part of a list: the resources after `after`, at most the first `among` of them. */
export interface Stretch {
  after: string | undefined;
  among?: number;
}

/** Rows of a stretch, and their number. `last` is the end of the stretch. */
export interface StretchRows extends PageRows {
  count: number;
}

/**
 * Returns a page of live resources by id, as one text: the driver takes longer to read a row for each. Ids never
 * change. PostgreSQL can't estimate a limit that is a parameter, so it would plan each page again. The constant 501,
 * the longest page and one more row, lets it estimate. The account of each resource is looked up, because a join that
 * begins at the accounts reads the whole organization.
 */
export async function listResources(
  sql: OrgStatements,
  filter: ResourceFilter,
  { limit, ...stretch }: Stretch & { limit: number },
): Promise<StretchRows> {
  const [page] = await sql<{ json: string | null; last: string | null; count: number }>`
    select string_agg(json, ',' order by place) filter (where place <= ${limit}::integer) as json,
           case when count(*) > ${limit}::integer
                then (array_agg(id order by place))[${limit}::integer]
                else ${endOf(sql, filter, stretch)} end as last,
           least(count(*), ${limit})::integer as count
      from (
        select *, row_number() over (order by id) as place
          from (
            select l.id, ${json(sql)} as json
              from ${inStretch(sql, filter, stretch)} l
             cross join lateral (
               select provider, swept_at
                 from inventory.cloud_accounts
                where org_id = ${sql.orgId}
                  and id = l.cloud_account_id
               offset 0
             ) a
             where true
               ${conditions(sql, filter)}
             order by l.id
             limit 501
          ) found
         order by id
         limit ${limit + 1}
      ) page
  `;
  return { json: page?.json ?? "", last: page?.last ?? undefined, count: page?.count ?? 0 };
}

/** Counts the live resources of a stretch. */
export async function countResources(
  sql: OrgStatements,
  filter: ResourceFilter,
  stretch: Stretch,
): Promise<Omit<StretchRows, "json">> {
  const [row] = await sql<{ count: number; last: string | null }>`
    select count(*)::integer as count, ${endOf(sql, filter, stretch)} as last
      from ${inStretch(sql, filter, stretch)} l
      join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
     where l.org_id = ${sql.orgId}
       ${conditions(sql, filter)}
  `;
  return { count: row?.count ?? 0, last: row?.last ?? undefined };
}

/** Selects the resources of a stretch. Its end is a limit, because the planner would underestimate a condition. */
export function inStretch(sql: OrgStatements, filter: ResourceFilter, stretch: Stretch) {
  const { part } = sql;
  const limit = stretch.among === undefined ? part`` : part`order by id limit ${stretch.among + 1}`;
  return part`(select * from inventory.live_resources where ${behind(sql, filter, stretch)} ${limit})`;
}

/** Returns the id of the last resource of a stretch, whether or not it passes the filter; null if there is no end. */
export function endOf(sql: OrgStatements, filter: ResourceFilter, stretch: Stretch) {
  const { part } = sql;
  if (stretch.among === undefined) return part`null::uuid`;
  return part`(
    select id from inventory.live_resources where ${behind(sql, filter, stretch)} order by id offset ${stretch.among} limit 1
  )`;
}

function behind(sql: OrgStatements, { accountId }: ResourceFilter, { after }: Stretch) {
  const { part } = sql;
  return part`
    org_id = ${sql.orgId}
    ${after === undefined ? part`` : part`and id > ${after}`}
    ${andChosen(sql, accountId, (id) => part`cloud_account_id = ${id}`)}
  `;
}

/** Conditions of a filter for a resource `l` of an account `a`. */
export function conditions(sql: OrgStatements, filter: ResourceFilter) {
  const { part } = sql;
  // In lower case by Unicode's rules, whatever the database's locale.
  const folded = (text: ReturnType<typeof part>) => part`lower(${text}::text collate pg_c_utf8)`;
  const { isCounted, q, seenSince, firstSeenSince } = filter;
  const declared = (condition: Part) => part`exists (
    select
      from inventory.iac_resources i
     where i.org_id = ${sql.orgId}
       and i.id = l.iac_resource_id
       and ${condition}
  )`;
  return part`
    ${andChosen(sql, filter.normalizedType, (type) => part`l.normalized_type = ${type}`)}
    ${andChosen(sql, filter.providerType, (type) => part`l.provider_type = ${type}`)}
    ${andChosen(sql, filter.region, (region) => part`l.region = ${region}`)}
    ${andChosen(sql, filter.tag, (tag) => tagged(sql, part`l.tags`, tag))}
    ${andChosen(sql, filter.moduleAddress, (address) => declared(part`i.module_address = ${address}`))}
    ${andChosen(sql, filter.match, (status) => part`l.match_status = any (${statusesOf(status)}::text[])`)}
    ${isCounted === true ? part`and l.match_status <> 'excluded'` : part``}
    ${andChosen(sql, filter.enrichmentStatus, (status) => part`l.enrichment_status = ${status}`)}
    ${firstSeenSince === undefined ? part`` : part`and l.first_seen_at >= ${firstSeenSince}::timestamptz`}
    ${seenSince === undefined ? part`` : part`and coalesce(l.overlooked_since, greatest(l.seen_at, a.swept_at)) >= ${seenSince}::timestamptz`}
    ${
      q === undefined
        ? part``
        : part`and (strpos(${folded(part`l.name`)}, ${folded(part`${q}`)}) > 0
                or strpos(${folded(part`l.provider_resource_id`)}, ${folded(part`${q}`)}) > 0
                or strpos(${folded(part`l.tags`)}, ${folded(part`${tagText(q)}`)}) > 0
                or ${declared(part`strpos(${folded(part`i.address`)}, ${folded(part`${q}`)}) > 0`)})`
    }
  `;
}

/** Unchecked resources, which couldn't be compared with declarations, count as undeclared, too. */
function statusesOf(match: string): string[] {
  return match === "undeclared" ? ["undeclared", "unchecked"] : [match];
}

/** Returns a text as the JSON of tags has it: `team=data` is a key and a value. */
function tagText(text: string): string {
  return text
    .split("=")
    .map((piece) => JSON.stringify(piece).slice(1, -1))
    .join('":"');
}

/** A live resource, its stored properties, and the inputs of its match's explanation. */
export interface ResourceDetail extends Row {
  id: string;
  cloud_account_id: string;
  provider: string;
  provider_resource_id: string;
  provider_type: string;
  json: string;
  /** Creation time in the cloud's own format. */
  cloud_created_at: string | null;
  enrichment_status: LiveResource["enrichment_status"];
  enrichment_failure_reason: string | null;
  /** JSON texts. */
  tags: string | null;
  properties: string | null;
  redactions: string | null;
  region: string | null;
  keys: string[];
  owner_keys: string[];
  match_level: number | null;
  iac_resource_id: string | null;
}

const detailColumns = (sql: Statements) => sql.part`
  l.id, l.cloud_account_id, a.provider, l.provider_resource_id, l.provider_type, ${json(sql)} as json,
  l.cloud_created_at, l.enrichment_status, l.enrichment_failure_reason, l.tags, l.properties, l.redactions,
  l.region, l.keys, l.owner_keys, l.match_level, l.iac_resource_id
`;

/** Returns the live resources with an id: at most one for our own id, possibly several for a provider's. */
export async function findResources(
  sql: OrgStatements,
  id: { own: string } | { provider: string },
): Promise<ResourceDetail[]> {
  return sql<ResourceDetail>`
    select ${detailColumns(sql)}
      from inventory.live_resources l
      join inventory.cloud_accounts a on a.org_id = l.org_id and a.id = l.cloud_account_id
     where l.org_id = ${sql.orgId}
       and l.id = any (${"own" in id ? [id.own] : await livesKnownAs(sql, id.provider)}::uuid[])
     limit 2
  `;
}

/** Returns the ids of live resources with a provider's id. It is a statement of its own, because workers can't run the function. */
async function livesKnownAs(sql: OrgStatements, providerId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>`select inventory.lives_known_as(${providerId}) as id`;
  return rows.map(({ id }) => id);
}
