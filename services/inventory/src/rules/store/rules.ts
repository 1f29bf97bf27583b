import type { Actor } from "@leeway/shared/contracts/common";
import type {
  ActiveRule,
  Rule,
  RuleContent,
  RuleEffect,
  RuleSubject,
} from "@leeway/shared/contracts/inventory/rules";
import type { OrgStatements, Row, Statements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

interface RuleRow extends Row {
  id: string;
  name: string;
  subjects: RuleSubject[];
  condition: string;
  effect: RuleEffect;
  reason: string;
  owner: string | null;
  enabled: boolean;
  expires_at: Date | null;
  created_by: Actor;
  created_at: Date;
  updated_at: Date;
  matched_count: number;
  hidden_count: number;
}

/** A rule as it is stored. */
export interface StoredRule extends Omit<RuleContent, "expires_at" | "enabled"> {
  enabled: boolean;
  expires_at: string | undefined;
}

/** Counts the current changes on which each rule has an effect, and those that it hides. */
const counts = (sql: OrgStatements) => sql.part`
  select e.rule_id, count(*)::integer as matched,
         (count(*) filter (where c.hidden_by = e.rule_id))::integer as hidden
    from inventory.drift_changes c
   cross join lateral (
     select value::uuid as rule_id from jsonb_array_elements_text(c.effects -> 'rules') as value
   ) e
   where c.org_id = ${sql.orgId}
     and c.gone_at = 'infinity'
     and c.effects is not null
   group by e.rule_id
`;

/** Returns the organization's rules in the order of their creation, or the one with an id. */
export async function listRules(sql: OrgStatements, id?: string): Promise<Rule[]> {
  const rows = await sql<RuleRow>`
    select r.id, r.name, r.subjects, r.condition, r.effect, r.reason, r.owner, r.enabled, r.expires_at, r.created_by,
           r.created_at, r.updated_at, coalesce(n.matched, 0) as matched_count, coalesce(n.hidden, 0) as hidden_count
      from inventory.rules r
      left join (${counts(sql)}) n on n.rule_id = r.id
     where r.org_id = ${sql.orgId}
       ${id === undefined ? sql.part`` : sql.part`and r.id = ${id}`}
     order by r.created_at, r.id
  `;
  return rows.map(fromRow);
}

function fromRow(row: RuleRow): Rule {
  const { id, name, reason, enabled, matched_count, hidden_count, created_by } = row;
  return {
    id,
    name,
    on: row.subjects,
    when: row.condition,
    // oxlint-disable-next-line unicorn/no-thenable -- the API's name; an object can't be called
    then: row.effect,
    reason,
    ...present({ owner: row.owner, expires_at: row.expires_at?.toISOString() }),
    enabled,
    built_in: false,
    matched_count,
    hidden_count,
    created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns the rules that have an effect now, in the order in which they apply. */
export async function activeRules(sql: OrgStatements): Promise<ActiveRule[]> {
  return sql<ActiveRule & Row>`
    select id, name, subjects as "on", condition as "when", effect
      from inventory.rules
     where org_id = ${sql.orgId}
       and enabled
       and coalesce(expires_at > now(), true)
     order by created_at, id
  `;
}

/** Locks the organization's rules for this transaction, and returns their number. */
export async function lockRules(tx: Transaction): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`rules ${tx.orgId}`}, 0))`;
  const [row] = await tx<{ count: number }>`
    select count(*)::integer as count from inventory.rules where org_id = ${tx.orgId}
  `;
  return row?.count ?? 0;
}

/** Returns whether another rule has this name. */
export async function isNameTaken(tx: Transaction, name: string, id: string): Promise<boolean> {
  const [row] = await tx`
    select 1 from inventory.rules where org_id = ${tx.orgId} and name = ${name} and id <> ${id}
  `;
  return row !== undefined;
}

/** @returns whether the rule is new; its id may exist already */
export async function insertRule(
  tx: Transaction,
  { id, createdBy }: { id: string; createdBy: Actor },
  { name, on, when, then: effect, reason, owner, expires_at, enabled }: StoredRule,
): Promise<boolean> {
  const { part } = tx;
  const inserted = await tx`
    insert into inventory.rules (
      org_id, id, name, subjects, condition, effect, reason, owner, enabled, expires_at, created_by
    )
    values (
      ${tx.orgId}, ${id}, ${name}, ${[...on]}, ${when}, ${part.json(effect)}, ${reason}, ${owner ?? null}, ${enabled},
      ${expires_at ?? null}, ${part.json(createdBy)}
    )
    on conflict (org_id, id) do nothing
  `;
  return inserted.count > 0;
}

/** Replaces a rule's content. A rule whose end is in the future may end again. */
export async function updateRule(
  tx: Transaction,
  id: string,
  { name, on, when, then: effect, reason, owner, expires_at, enabled }: StoredRule,
): Promise<void> {
  await tx`
    update inventory.rules
       set name = ${name}, subjects = ${[...on]}, condition = ${when}, effect = ${tx.part.json(effect)},
           reason = ${reason}, owner = ${owner ?? null}, enabled = ${enabled},
           announced_at = case when expires_at is not distinct from ${expires_at ?? null}::timestamptz then announced_at end,
           ended = ended and ${expires_at ?? null}::timestamptz <= now(),
           expires_at = ${expires_at ?? null}::timestamptz, updated_at = now()
     where org_id = ${tx.orgId}
       and id = ${id}
  `;
}

export async function deleteRule(tx: Transaction, id: string): Promise<boolean> {
  const deleted = await tx`delete from inventory.rules where org_id = ${tx.orgId} and id = ${id}`;
  return deleted.count > 0;
}

/** Marks rules whose time is over as ended. @returns the rules that this call ended */
export async function endRules(tx: Transaction): Promise<{ id: string; name: string }[]> {
  return tx<{ id: string; name: string }>`
    update inventory.rules
       set ended = true
     where org_id = ${tx.orgId}
       and enabled
       and not ended
       and expires_at <= now()
    returning id, name
  `;
}

/** Returns organizations with rules that have to be ended. */
export async function orgsWithEndedRules(sql: Statements, atMost: number): Promise<string[]> {
  const rows = await sql<{ org_id: string }>`select org_id from inventory.ended_rules(${atMost})`;
  return rows.map(({ org_id }) => org_id);
}

/** Returns organizations with rules whose coming end has to be announced. */
export async function orgsWithEndingRules(sql: Statements, atMost: number): Promise<string[]> {
  const rows = await sql<{ org_id: string }>`select org_id from inventory.ending_rules(${atMost})`;
  return rows.map(({ org_id }) => org_id);
}

/** Marks rules whose coming end has to be announced. @returns the rules that this call marked */
export async function announceRules(tx: Transaction): Promise<Rule[]> {
  const marked = await tx<{ id: string }>`
    update inventory.rules r
       set announced_at = now()
      from (
        select id, announced_at
          from inventory.rules
         where org_id = ${tx.orgId}
           and enabled
           and not ended
           and expires_at > now()
           and inventory.is_announced_now(expires_at, updated_at, announced_at)
      ) due
     where r.org_id = ${tx.orgId}
       and r.id = due.id
       and r.announced_at is not distinct from due.announced_at -- no other process was faster
    returning r.id
  `;
  const ids = new Set(marked.map(({ id }) => id));
  return ids.size === 0 ? [] : (await listRules(tx)).filter(({ id }) => ids.has(id));
}
