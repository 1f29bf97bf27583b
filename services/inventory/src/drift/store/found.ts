import type { FoundChange } from "@leeway/drift/changes/found-change";
import { MISSING_VERDICTS } from "@leeway/drift/changes/missing";
import { copyLine } from "@leeway/shared/values/copy-text";
import { copyInto } from "@leeway/shared/database/copy-into";
import type { Transaction } from "@leeway/shared/database/database";

const VERDICTS = Object.entries(MISSING_VERDICTS).map(([loss, verdict]) => ({ loss, ...verdict }));

const COLUMNS = ["fingerprint", "kind", "risk_level", "hidden", "values_hash", "content"];

/** Creates the temporary table `drift_found`, for the differences between an account and its code. */
export async function beginFinding(tx: Transaction): Promise<void> {
  await tx`
    create temp table drift_found (
      fingerprint text, kind text, risk_level text, hidden boolean, values_hash text, content text,
      content_hash text generated always as (md5(content)) stored, effects jsonb, hidden_by uuid
    ) on commit drop
  `;
}

export async function addFound(tx: Transaction, found: readonly FoundChange[]): Promise<void> {
  if (found.length === 0) return;
  const lines = found.map(({ fingerprint, kind, riskLevel, hidden, valuesHash, content }) =>
    copyLine([fingerprint, kind, riskLevel, hidden, valuesHash, content]),
  );
  const copy = await tx.raw`copy drift_found (${tx.part(COLUMNS)}) from stdin`.writable();
  await copyInto(copy, (write) => write(`${lines.join("\n")}\n`));
}

/**
 * Adds missing resources of an account, except those in `added`. The kind of resource that is lost sets the risk
 * level.
 */
export async function addMissing(
  tx: Transaction,
  accountId: string,
  added: readonly string[],
): Promise<void> {
  await tx`
    insert into drift_found (fingerprint, kind, risk_level, hidden, values_hash, content)
    select inventory.drift_fingerprint(array[${accountId}, 'missing', d.source_id::text, d.address]), 'missing', r.level,
           false, '',
           jsonb_strip_nulls(jsonb_build_object(
             'actions', array['delete'], 'address', d.address, 'module_address', d.module_address,
             'resource_type', d.type, 'provider_name', coalesce(d.provider_name, ''), 'iac_resource_id', d.id,
             'attribute_changes', array[]::text[],
             'risk_flags', jsonb_build_array(
               jsonb_build_object('rule', r.rule, 'flag', r.flag, 'evidence', array[]::text[])
             )
           ))::text
      from inventory.declared_resources d
      join jsonb_to_recordset(${tx.part.json(VERDICTS)}) as r (loss text, level text, rule text, flag text)
        on r.loss = d.loss
     where d.org_id = ${tx.orgId}
       and d.cloud_account_id = ${accountId}
       and d.id = any (array(${possiblyIn(tx, accountId)})) -- an array, so that no other join comes first
       and d.status = 'missing'
       and d.id <> all (${added}::uuid[])
  `;
}

/** Selects the ids of the declarations that can count for an account, from which PostgreSQL finds those that do. */
function possiblyIn({ orgId, part }: Transaction, accountId: string) {
  return part`
    select i.id
      from inventory.iac_sources s
      join inventory.iac_resources i on i.org_id = s.org_id and i.source_id = s.id
     where s.org_id = ${orgId}
       and s.cloud_account_id = ${accountId}
    union all
    select i.id
      from inventory.cloud_accounts n
      join inventory.iac_resources i on i.org_id = n.org_id and i.cloud = n.cloud and i.account = n.named_as
     where n.org_id = ${orgId}
       and n.id = ${accountId}
  `;
}
