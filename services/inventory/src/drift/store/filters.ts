import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { Several } from "@leeway/shared/contracts/several";
import type { OrgStatements, Statements } from "@leeway/shared/database/database";

import { andChosen, tagged } from "../../chosen.ts";
import { DECIDED, isDecision } from "./dispositions.ts";
import { lastBefore } from "./moved.ts";
import { valuesIn } from "./values.ts";

export interface ChangeFilter {
  kind: Several | undefined;
  riskLevel: Several | undefined;
  noise: "exclude" | "only" | "include" | undefined;
  /** Changes that a rule hides. */
  hidden?: "exclude" | "only" | "include" | undefined;
}

/** Filters of the changes that accounts have now. */
export interface PresentFilter extends ChangeFilter {
  accountId: Several | undefined;
  minRisk?: RiskLevel | undefined;
  disposition: Several<keyof typeof DECIDED> | undefined;
  ignored?: "exclude" | "include" | undefined;
  resourceType?: Several | undefined;
  moduleAddress?: Several | undefined;
  region?: Several | undefined;
  /** Tags of the live resource. */
  tag?: Several | undefined;
  /** Part of the address, of the name or of the provider's id. */
  q?: string | undefined;
  principal?: Several | undefined;
  personHour?: string | undefined;
  cause?: string | undefined;
  /** RFC 3339. */
  since?: string | undefined;
  movement?: "new" | "worse" | "gone" | undefined;
}

export const withFingerprint = (sql: Statements) => sql.part`
  join inventory.drift_fingerprints f on f.org_id = c.org_id and f.fingerprint = c.fingerprint
`;

type Part = ReturnType<typeof withFingerprint>;

export const filtered = (
  sql: Statements,
  { kind, riskLevel, noise = "exclude", hidden = "exclude" }: ChangeFilter,
) => sql.part`
  ${andChosen(sql, kind, (word) => sql.part`c.kind = ${word}`)}
  ${andChosen(sql, riskLevel, (level) => sql.part`inventory.risk_rank(c.risk_level) = inventory.risk_rank(${level})`)}
  ${noise === "include" ? sql.part`` : sql.part`and c.hidden = ${noise === "only"}`}
  ${hidden === "include" ? sql.part`` : sql.part`and (c.hidden_by is not null) = ${hidden === "only"}`}
`;

/** Selects a value of a change's live resource. */
const ofLive = ({ part, orgId }: OrgStatements, value: Part) => part`(
  select ${value}
    from inventory.live_resources l
   where l.org_id = ${orgId}
     and l.id = (c.content::jsonb ->> 'live_resource_id')::uuid
   limit 1
)`;

/** Values by which changes are filtered and grouped. Rows of earlier versions have them only in their content. */
export const VALUES = {
  type: ({ part }: Statements) => part`coalesce(c.resource_type, c.content::jsonb ->> 'resource_type')`,
  module: ({ part }: Statements) =>
    part`case when c.resource_type is null then c.content::jsonb ->> 'module_address' else c.module_address end`,
  account: ({ part }: Statements) => part`c.cloud_account_id::text`,
  kind: ({ part }: Statements) => part`c.kind`,
  risk: ({ part }: Statements) => part`c.risk_level`,
  decision: ({ part }: Statements) =>
    part`case when inventory.is_ignored(f.status, f.ignored_until) or f.status <> 'ignored' then f.status else 'open' end`,
  region: (sql: OrgStatements) => sql.part`
    coalesce(${ofLive(sql, sql.part`l.region`)}, (
      select i.region
        from inventory.iac_resources i
       where i.org_id = ${sql.orgId}
         and i.id = (c.content::jsonb ->> 'iac_resource_id')::uuid
    ))
  `,
  person: ({ part }: Statements) => part`f.actor ->> 'principal'`,
  person_hour: ({ part }: Statements) => part`
    to_char((f.actor ->> 'at')::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24":00Z "') || (f.actor ->> 'principal')
  `,
  cause: (sql: Statements) =>
    sql.part`coalesce(c.cause, (select v.cause from (${valuesIn(sql, sql.part`c`)}) v))`,
};

/**
 * Returns the joins and conditions of the changes that accounts have now, or that are gone since a time. Fingerprints
 * are joined as `f` only if a condition needs them, or if `decided`. With `versions`, a condition on these changes, they
 * may be gone.
 */
export function inPresent(
  sql: OrgStatements,
  filter: PresentFilter,
  { decided: isDecided = false, versions }: { decided?: boolean; versions?: Part } = {},
): { from: Part; which: Part } {
  const { part } = sql;
  const { accountId, minRisk, disposition, ignored, since } = filter;
  const when = <V>(value: V | undefined, condition: (value: V) => Part): Part =>
    value === undefined ? part`` : part`and ${condition(value)}`;
  const needsDecision =
    isDecided ||
    [disposition, filter.principal, filter.personHour].some((value) => value !== undefined) ||
    ignored === "exclude";
  return {
    from: part`
      ${needsDecision ? withFingerprint(sql) : part``}
      ${since === undefined ? part`` : lastBefore(sql, since)}
    `,
    which: part`
      ${versions ?? presentOf(sql, filter)}
      ${andChosen(sql, accountId, (id) => part`c.cloud_account_id = ${id}`)}
      ${when(minRisk, (level) => part`inventory.risk_rank(c.risk_level) <= inventory.risk_rank(${level})`)}
      ${andChosen(sql, disposition, (word) => decided(sql, word))}
      ${ignored === "exclude" ? part`and not inventory.is_ignored(f.status, f.ignored_until)` : part``}
      ${andChosen(sql, filter.resourceType, (type) => part`${VALUES.type(sql)} = ${type}`)}
      ${andChosen(sql, filter.moduleAddress, (address) => part`${VALUES.module(sql)} = ${address}`)}
      ${andChosen(sql, filter.region, (region) => part`${VALUES.region(sql)} = ${region}`)}
      ${andChosen(sql, filter.tag, (tag) => tagged(sql, ofLive(sql, part`l.tags`), tag))}
      ${when(filter.q, (text) => named(sql, text))}
      ${andChosen(sql, filter.principal, (name) => part`${VALUES.person(sql)} = ${name}`)}
      ${when(filter.personHour, (key) => part`${VALUES.person_hour(sql)} = ${key}`)}
      ${when(filter.cause, (cause) => part`${VALUES.cause(sql)} = ${cause}`)}
      ${filtered(sql, filter)}
    `,
  };
}

function presentOf(sql: OrgStatements, { since, movement, disposition }: PresentFilter): Part {
  const { part } = sql;
  return part`
    ${since === undefined ? part`c.gone_at = 'infinity'` : movedSince(sql, since, movement)}
    ${disposition === undefined ? part`` : part`and f.gone_at is null`}
  `;
}

function decided(sql: Statements, word: string): Part {
  return isDecision(word) ? sql.part`(${DECIDED[word](sql)})` : sql.part`false`;
}

/** Condition for changes of resources with a text in their names. Most rows lack it anywhere, and aren't parsed. */
function named({ part }: Statements, text: string): Part {
  const folded = (value: Part) => part`lower(${value} collate pg_c_utf8)`;
  const names = ["address", "resource_name", "provider_resource_id"];
  const all = part`(select string_agg(c.content::jsonb ->> name, chr(10)) from unnest(${names}::text[]) name)`;
  const asJson = JSON.stringify(text).slice(1, -1);
  return part`
    strpos(${folded(part`c.content`)}, ${folded(part`${asJson}::text`)}) > 0
    and strpos(${folded(all)}, ${folded(part`${text}::text`)}) > 0
  `;
}

/**
 * Selects the version that a change had in the account's last snapshot before a time. `lastBefore` must be joined. The
 * bounds of `gone_at` skip partitions; the hour allows for a version that ended before its snapshot was finished.
 */
export const earlier = ({ part, orgId }: OrgStatements, since: string) => part`
  select
    from inventory.drift_changes o
   where o.org_id = ${orgId}
     and o.cloud_account_id = c.cloud_account_id
     and o.fingerprint = c.fingerprint
     and not o.hidden
     and o.hidden_by is null
     and o.gone_at > ${since}::timestamptz - interval '1 hour'
     and o.gone_at < 'infinity'
     and o.from_number <= b.number
     and o.until_number > b.number
`;

/** Condition for changes that moved since a time. `lastBefore` must be joined. */
function movedSince(sql: OrgStatements, since: string, movement: PresentFilter["movement"]): Part {
  const { part } = sql;
  if (movement === "gone") return wentSince(sql, since);
  const before = earlier(sql, since);
  const worse = part`and inventory.risk_rank(o.risk_level) > inventory.risk_rank(c.risk_level)`;
  const noBetter = part`and inventory.risk_rank(o.risk_level) <= inventory.risk_rank(c.risk_level)`;
  const moved = {
    new: part`not exists (${before})`,
    worse: part`exists (${before} ${worse})`,
    any: part`not exists (${before} ${noBetter})`,
  };
  return part`
    c.gone_at = 'infinity'
    and c.kind <> 'pending'
    and c.from_number > b.number
    and ${moved[movement ?? "any"]}
  `;
}

function wentSince({ part, orgId }: OrgStatements, since: string): Part {
  return part`
    c.gone_at > ${since}::timestamptz - interval '1 hour'
    and c.gone_at <> 'infinity'
    and c.kind <> 'pending'
    and c.from_number <= b.number
    and c.until_number > b.number
    and not exists (
      select
        from inventory.drift_changes o
       where o.org_id = ${orgId}
         and o.cloud_account_id = c.cloud_account_id
         and o.fingerprint = c.fingerprint
         and o.gone_at = 'infinity'
         and not o.hidden
         and o.hidden_by is null
    )
  `;
}
