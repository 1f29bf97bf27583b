import type { AuditRecord } from "@leeway/shared/contracts/gateway/audit";
import type { OrgStatements, Row, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import { chained, type ChainedEntry, type Link } from "../chain.ts";
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
    target: targetOf(row.action, targetId),
    sequence: Number(sequence),
    previous_hash: previous.toString("hex"),
    hash: hash.toString("hex"),
  }));
}

/**
 * Adds entries from other services, each once, and chains them together: a trigger would write the chain's row for each.
 * Entries of deleted organizations are dropped. An entry of a person includes the address of the membership, which is
 * lost when the person leaves.
 */
export async function addRecords(tx: Transaction, records: readonly AuditRecord[]): Promise<void> {
  const head = await lockHead(tx);
  if (!head) return;
  const known = await knownIds(tx, records);
  const fresh = records.filter(({ id }) => !known.has(id)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const entries = chained(tx.orgId, head, fresh.map(entryOf));
  const newest = entries.at(-1);
  if (!newest) return;
  await tx`
    insert into identity.audit_log (
      org_id, id, at, actor, action, target_id, details, outcome, request_id, sequence, previous_hash, hash
    )
    select ${tx.orgId}, r.id, r.at,
           r.actor || jsonb_strip_nulls(jsonb_build_object('name', (
             select m.email
               from identity.members m
              where m.org_id = ${tx.orgId}
                and r.actor ->> 'type' = 'person'
                and m.person_id::text = r.actor ->> 'id'
           ))),
           r.action, r.target ->> 'id', r.details, r.outcome, r.request_id, r.sequence,
           decode(r.previous_hash, 'hex'), decode(r.hash, 'hex')
      from jsonb_to_recordset(${tx.part.json(entries)}) as r (
             id uuid, at timestamptz, actor jsonb, action text, target jsonb, details jsonb, outcome text,
             request_id text, sequence bigint, previous_hash text, hash text
           )
  `;
  await tx`
    update identity.audit_chains
       set sequence = ${newest.sequence}, hash = decode(${newest.hash}, 'hex')
     where org_id = ${tx.orgId}
  `;
}

/**
 * Locks an organization's chain and returns its newest link; undefined if the organization doesn't exist. Concurrent calls
 * wait here, and then find each other's entries.
 */
async function lockHead(tx: Transaction): Promise<Link | undefined> {
  const [row] = await tx<{ sequence: string; hash: Buffer }>`
    insert into identity.audit_chains as c (org_id, sequence, hash)
    select org_id, 0, '' from identity.organizations where org_id = ${tx.orgId}
    on conflict (org_id) do update set sequence = c.sequence
    returning sequence, hash
  `;
  return row && { sequence: Number(row.sequence), hash: row.hash.toString("hex") };
}

async function knownIds(tx: Transaction, records: readonly AuditRecord[]): Promise<Set<string>> {
  const rows = await tx<{ id: string }>`
    select id
      from identity.audit_log
     where org_id = ${tx.orgId}
       and id = any (${records.map(({ id }) => id)}::uuid[])
  `;
  return new Set(rows.map(({ id }) => id));
}

function entryOf({ at, target_id, ...record }: AuditRecord): AuditEntry {
  const target = targetOf(record.action, target_id);
  return { ...record, at: new Date(at).toISOString(), target, outcome: "done" };
}

function targetOf(action: string, id: string | null | undefined): AuditEntry["target"] {
  return { type: action.split(".")[0] ?? "", ...present({ id }) };
}
