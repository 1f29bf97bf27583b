import type { AuditRecord } from "@leeway/shared/contracts/gateway/audit";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";

import type { ChainedEntry, Link } from "../chain.ts";
import type { AuditEntry } from "../../identity.ts";

const START: Link = { sequence: 0, hash: "" };

/** Returns the newest link of an organization's chain, and the last link whose entry was deleted. */
export async function chainOf(sql: OrgStatements): Promise<{ head: Link; kept: Link }> {
  const [row] = await sql<{ sequence: string; hash: Buffer; kept_sequence: string; kept_hash: Buffer }>`
    select sequence, hash, kept_sequence, kept_hash from identity.audit_chains where org_id = ${sql.orgId}
  `;
  if (!row) return { head: START, kept: START };
  return {
    head: { sequence: Number(row.sequence), hash: row.hash.toString("hex") },
    kept: { sequence: Number(row.kept_sequence), hash: row.kept_hash.toString("hex") },
  };
}

interface ChainedRow extends Row {
  id: string;
  at: Date;
  actor: AuditEntry["actor"];
  action: string;
  target_id: string | null;
  details: AuditEntry["details"];
  outcome: AuditEntry["outcome"];
  request_id: string;
  sequence: string;
  previous_hash: Buffer;
  hash: Buffer;
}

/** Returns entries in the order of the chain. */
export async function listChained(
  sql: OrgStatements,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<ChainedEntry[]> {
  const rows = await sql<ChainedRow>`
    select id, at, actor, action, target_id, details, outcome, request_id, sequence, previous_hash, hash
      from identity.audit_log
     where org_id = ${sql.orgId}
       and sequence > ${after}
       and sequence <= ${until}
     order by sequence
     limit ${limit}
  `;
  return rows.map(({ at, target_id: targetId, sequence, previous_hash: previous, hash, ...row }) => ({
    ...row,
    at: at.toISOString(),
    target: { type: row.action.split(".")[0] ?? "", ...(targetId !== null && { id: targetId }) },
    sequence: Number(sequence),
    previous_hash: previous.toString("hex"),
    hash: hash.toString("hex"),
  }));
}

/**
 * Adds entries from other services, each once. Entries of deleted organizations are dropped. An entry of a person
 * includes the address of the membership, which is lost when the person leaves.
 */
export async function addRecords(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
  // Concurrent inserts of the same entries wait here, and then find them.
  await tx`select from identity.audit_chains where org_id = ${tx.orgId} for update`;
  await tx`
    insert into identity.audit_log (org_id, id, at, actor, action, target_id, details, outcome, request_id)
    select o.org_id, r.id, r.at,
           r.actor || jsonb_strip_nulls(jsonb_build_object('name', (
             select m.email
               from identity.members m
              where m.org_id = o.org_id
                and r.actor ->> 'type' = 'person'
                and m.person_id::text = r.actor ->> 'id'
           ))),
           r.action, r.target_id, r.details, 'done', r.request_id
      from jsonb_to_recordset(${tx.part.json(records)}) as r (
             id uuid, at timestamptz, actor jsonb, action text, target_id text, details jsonb, request_id text
           )
      join identity.organizations o on o.org_id = ${tx.orgId}
     where not exists (
       select from identity.audit_log known where known.org_id = o.org_id and known.id = r.id
     )
     order by r.id
  `;
}
