import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";
import type { DriftRow } from "@leeway/rules/drift-subject";
import type { Effects, Verdict } from "@leeway/rules/rule-set";

/** Small enough that other work doesn't wait long for a batch's evaluation. */
const CHANGES_A_BATCH = 1_000;

/** A change to judge, with its present level and effects. */
export interface RuledRow {
  change: DriftRow;
  level: RiskLevel;
  effects: Effects | null;
}

interface ChangeRow extends Row {
  fingerprint: string;
  kind: DriftRow["kind"];
  risk_level: RiskLevel;
  base_level: RiskLevel;
  effects: Effects | null;
  content: string;
  provider: string;
  account: string;
  region: string | null;
  name: string | null;
  tags: string | null;
  attributes: string | null;
  source: string | null;
  actor: string | null;
}

type Part = ReturnType<typeof nothing>;
const nothing = (sql: OrgStatements) => sql.part``;

/** Relation with changes to judge, and a condition on them. */
interface Changes {
  from: Part;
  which: Part;
}

/** Returns the changes in `drift_found` that rules can be about, in batches. */
export async function* foundRows(tx: Transaction, accountId: string): AsyncGenerator<RuledRow[]> {
  await tx`create index on drift_found (fingerprint)`;
  const from = tx.part`(select d.*, ${accountId}::uuid as cloud_account_id from drift_found d)`;
  yield* inBatches(tx, { from, which: tx.part`true` });
}

/**
 * Returns the current changes that rules can be about, of an account or all of the organization's, in batches.
 * @param onlyRuled whether to return only changes with effects of rules
 */
export function currentRows(
  sql: OrgStatements,
  { accountId, onlyRuled = false }: { accountId?: string; onlyRuled?: boolean } = {},
): AsyncGenerator<RuledRow[]> {
  const { part } = sql;
  return inBatches(sql, {
    from: part`inventory.drift_changes`,
    which: part`
      c.org_id = ${sql.orgId}
      and c.gone_at = 'infinity'
      ${accountId === undefined ? part`` : part`and c.cloud_account_id = ${accountId}`}
      ${onlyRuled ? part`and c.effects is not null` : part``}
    `,
  });
}

async function* inBatches(sql: OrgStatements, changes: Changes): AsyncGenerator<RuledRow[]> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const rows: ChangeRow[] = await rowsAfter(sql, changes, after);
    after = rows.length === CHANGES_A_BATCH ? rows.at(-1)?.fingerprint : undefined;
    if (rows.length > 0) yield rows.map(fromRow);
  }
}

function rowsAfter(sql: OrgStatements, { from, which }: Changes, after: string): Promise<ChangeRow[]> {
  return sql<ChangeRow>`
    select c.fingerprint, c.kind, c.risk_level, coalesce(c.effects #>> '{raised,from}', c.risk_level) as base_level,
           c.effects, c.content, a.provider, a.external_id as account, l.region, l.name, l.tags,
           case when c.kind = 'missing' then d.attributes end as attributes, s.name as source, f.actor::text as actor
      from (
        select c.*, (c.content::jsonb ->> 'live_resource_id')::uuid as live_id,
               (c.content::jsonb ->> 'iac_resource_id')::uuid as iac_id
          from ${from} c
         where ${which}
           and c.fingerprint > ${after}
           and c.kind <> 'pending'
           and not c.hidden
         order by c.fingerprint
         limit ${CHANGES_A_BATCH}
      ) c
      join inventory.cloud_accounts a on a.org_id = ${sql.orgId} and a.id = c.cloud_account_id
      left join inventory.live_resources l on l.org_id = ${sql.orgId} and l.id = c.live_id
      left join lateral (
        select id, source_id from inventory.iac_resources where org_id = ${sql.orgId} and id = c.iac_id offset 0 -- by its key
      ) i on true
      left join inventory.iac_sources s on s.org_id = ${sql.orgId} and s.id = i.source_id
      left join inventory.declared_attributes d on d.org_id = ${sql.orgId} and d.iac_resource_id = i.id
      left join inventory.drift_fingerprints f on f.org_id = ${sql.orgId} and f.fingerprint = c.fingerprint
     order by c.fingerprint
  `;
}

function fromRow({
  fingerprint,
  kind,
  base_level,
  content,
  risk_level,
  effects,
  ...facts
}: ChangeRow): RuledRow {
  const change = { fingerprint, kind, level: base_level, content, facts };
  return { change, level: risk_level, effects };
}

/** A change whose level or effects are others now. */
export interface Ruled extends Verdict {
  fingerprint: string;
}

const recordset = (tx: Transaction, ruled: readonly Ruled[]) => {
  const rows = ruled.map(({ fingerprint, level, effects }) => {
    return { fingerprint, risk_level: level, effects, hidden_by: effects?.hidden_by?.id };
  });
  return tx.part`
    jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as v (fingerprint text, risk_level text, effects jsonb, hidden_by uuid)
  `;
};

/** Stores verdicts in `drift_found`. */
export async function ruleFound(tx: Transaction, ruled: readonly Ruled[]): Promise<void> {
  await tx`
    update drift_found f
       set risk_level = v.risk_level, effects = v.effects, hidden_by = v.hidden_by
      from ${recordset(tx, ruled)}
     where f.fingerprint = v.fingerprint
  `;
}

/** Stores verdicts in an account's current changes. */
export async function ruleCurrent(
  tx: Transaction,
  accountId: string,
  ruled: readonly Ruled[],
): Promise<void> {
  await tx`
    update inventory.drift_changes c
       set risk_level = v.risk_level, effects = v.effects, hidden_by = v.hidden_by
      from ${recordset(tx, ruled)}
     where c.org_id = ${tx.orgId}
       and c.cloud_account_id = ${accountId}
       and c.gone_at = 'infinity'
       and c.fingerprint = v.fingerprint
  `;
  await tx`
    update inventory.drift_fingerprints f
       set risk_level = v.risk_level, hidden_by = v.hidden_by
      from ${recordset(tx, ruled)}
     where f.org_id = ${tx.orgId}
       and f.cloud_account_id = ${accountId}
       and f.gone_at is null
       and f.fingerprint = v.fingerprint
  `;
}
