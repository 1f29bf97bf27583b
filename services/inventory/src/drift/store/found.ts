import type { FoundChange } from "@leeway/drift/changes/found-change";
import { MISSING_VERDICTS } from "@leeway/drift/changes/missing";
import { copyLine } from "@leeway/shared/values/copy-text";
import { copyInto } from "@leeway/shared/database/copy-into";
import type { Transaction } from "@leeway/shared/database/database";
import { withLookups } from "@leeway/shared/database/with-lookups";

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
  const places = await placesOf(tx, accountId);
  if (!places) return;
  const insert = () => tx`
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
      from (${possiblyIn(tx, places)}) p
     cross join lateral (
       select *
         from inventory.declared_resources
        where org_id = ${tx.orgId}
          and id = p.id
       ${tx.fence} -- each is looked up, whatever the planner estimates
     ) d
      join jsonb_to_recordset(${tx.part.json(VERDICTS)}) as r (loss text, level text, rule text, flag text)
        on r.loss = d.loss
     where d.cloud_account_id = ${accountId}
       and d.status = 'missing'
       and d.id <> all (${added}::uuid[])
  `;
  await withLookups(tx, insert);
}

type Places = Record<"cloud" | "named_as", string> & { sources: string[] };

/** Finds where declarations can count for an account, before PostgreSQL plans to look there. */
async function placesOf(tx: Transaction, accountId: string): Promise<Places | undefined> {
  const [places] = await tx<Places>`
    select cloud, named_as,
           array(
             select id from inventory.iac_sources where org_id = ${tx.orgId} and cloud_account_id = ${accountId}
           ) as sources
      from inventory.cloud_accounts
     where org_id = ${tx.orgId}
       and id = ${accountId}
  `;
  return places;
}

function possiblyIn({ orgId, part }: Transaction, { cloud, named_as, sources }: Places) {
  return part`
    select id from inventory.iac_resources where org_id = ${orgId} and source_id = any (${sources}::uuid[])
    union
    select id from inventory.iac_resources where org_id = ${orgId} and cloud = ${cloud} and account = ${named_as}
  `;
}
