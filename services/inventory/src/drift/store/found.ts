import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import type { Transaction } from "@leeway/shared/database/database";

import { copyInto } from "../../documents/copy-into.ts";
import { copyLine } from "../../documents/copy-text.ts";

/** Something that isn't as it is declared. */
export interface FoundChange {
  kind: "changed" | "missing" | "undeclared" | "pending";
  fingerprint: string;
  riskLevel: RiskLevel;
  hidden: boolean;
  valuesHash: string;
  /** JSON of all else that is told of it. */
  content: string;
}

const COLUMNS = ["fingerprint", "kind", "risk_level", "hidden", "values_hash", "content"];

/** Makes the temporary table `drift_found`, for what differs between an account and its code. */
export async function beginFinding(tx: Transaction): Promise<void> {
  await tx`
    create temp table drift_found (
      fingerprint text, kind text, risk_level text, hidden boolean, values_hash text, content text,
      content_hash text generated always as (md5(content)) stored
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

/** Adds what is declared in the account and not live, as bad as what is lost with it, but for what was `added` before. */
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
      join (
        values ('stateful', 'critical', 'R01', 'deleted_outside'),
               ('key_material', 'critical', 'R03', 'destroy_key_material'),
               ('container', 'critical', 'R04', 'destroy_container'),
               ('serving', 'high', 'R17', 'destroy_serving'),
               ('other', 'medium', 'R18', 'destroy')
      ) r (loss, level, rule, flag) on r.loss = d.loss
     where d.org_id = ${tx.orgId}
       and d.cloud_account_id = ${accountId}
       and d.status = 'missing'
       and d.id <> all (${added}::uuid[])
  `;
}

/** Adds what is live in the account and not declared, which is no risk by itself. */
export async function addUndeclared(tx: Transaction, accountId: string): Promise<void> {
  await tx`
    insert into drift_found (fingerprint, kind, risk_level, hidden, values_hash, content)
    select inventory.drift_fingerprint(array[${accountId}, 'undeclared', l.provider_type, l.provider_resource_id]),
           'undeclared', 'none', false, '',
           jsonb_strip_nulls(jsonb_build_object(
             'actions', array['create'], 'resource_type', l.provider_type, 'provider_name', a.provider,
             'provider_resource_id', l.provider_resource_id, 'resource_name', l.name, 'live_resource_id', l.id,
             'attribute_changes', array[]::text[], 'risk_flags', array[]::text[]
           ))::text
      from inventory.live_resources l
      join inventory.cloud_accounts a on a.id = l.cloud_account_id
     where l.org_id = ${tx.orgId}
       and a.org_id = ${tx.orgId}
       and l.cloud_account_id = ${accountId}
       and l.match_status in ('undeclared', 'unchecked')
  `;
}
