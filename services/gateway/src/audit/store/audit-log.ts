import { currentContext } from "@leeway/shared/platform/context";
import type { Actor } from "@leeway/shared/contracts/common";
import type { AuditAction, AuditDetails } from "@leeway/shared/contracts/gateway/audit";
import type { OrgStatements, Transaction } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

import type { AuditEntry, AuditOutcome } from "../../identity.ts";

interface NewEntry {
  actor: Actor;
  action: AuditAction;
  /** Id of the target; undefined until it is created. */
  targetId?: string;
  details?: AuditDetails;
}

/**
 * Writes an audit entry in the transaction of its change. An entry of a person includes the address of the
 * membership, which is lost when the person leaves.
 */
export async function writeAudit(tx: Transaction, entry: NewEntry): Promise<void> {
  const { actor, action, targetId, details = {} } = entry;
  const id = Bun.randomUUIDv7();
  const personId = actor.type === "person" ? actor.id : null;
  await tx`
    insert into identity.audit_log (org_id, id, actor, action, target_id, details, outcome, request_id)
    select ${tx.orgId}, ${id},
           ${tx.part.json(actor)}::jsonb || jsonb_strip_nulls(jsonb_build_object('name', (
             select email from identity.members where org_id = ${tx.orgId} and person_id = ${personId}::uuid
           ))),
           ${action}, ${targetId ?? null}, ${tx.part.json(details)}, 'done', ${currentContext()?.requestId ?? id}
  `;
}

interface Row {
  id: string;
  at: Date;
  actor: Actor;
  actor_name: string | null;
  action: string;
  target_id: string | null;
  details: AuditDetails;
  outcome: AuditOutcome;
  request_id: string;
  sequence: string | null;
  previous_hash: Buffer | null;
  hash: Buffer | null;
}

interface AuditPage {
  before: string | undefined;
  /** Action to filter by. */
  action: AuditAction | undefined;
  /** Person or key to filter by. */
  actorId: string | undefined;
  limit: number;
}

/**
 * Returns entries before `before`, newest first. Each has the stored name of its actor, or else the current name.
 * Former members get no current name: their token could contain anyone's name.
 */
export async function listAudit(
  sql: OrgStatements,
  { before, action, actorId, limit }: AuditPage,
): Promise<AuditEntry[]> {
  const rows = await sql<Row>`
    select a.id, a.at, a.actor, coalesce(a.actor ->> 'name', m.email, p.email, p.name, k.name) as actor_name,
           a.action, a.target_id, a.details, a.outcome, a.request_id, a.sequence, a.previous_hash, a.hash
      from identity.audit_log a
      left join identity.members m
        on m.org_id = a.org_id
       and m.person_id = case when a.actor ->> 'type' = 'person' then (a.actor ->> 'id')::uuid end
      left join identity.people p on p.id = m.person_id
      left join identity.api_keys k
        on k.org_id = a.org_id
       and k.id = case when a.actor ->> 'type' = 'api_key' then (a.actor ->> 'id')::uuid end
     where a.org_id = ${sql.orgId}
       ${before === undefined ? sql.part`` : sql.part`and a.id < ${before}`}
       ${action === undefined ? sql.part`` : sql.part`and a.action = ${action}`}
       ${actorId === undefined ? sql.part`` : sql.part`and a.actor_id = ${actorId}`}
     order by a.id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}

function fromRow(row: Row): AuditEntry {
  const { at, actor, actor_name: name, target_id: targetId, sequence, previous_hash, hash, ...same } = row;
  const [type = ""] = row.action.split(".");
  return {
    ...same,
    at: at.toISOString(),
    actor: { ...actor, ...(name !== null && { name }) },
    target: { type, ...(targetId !== null && { id: targetId }) },
    ...present({
      sequence: sequence === null ? null : Number(sequence),
      previous_hash: previous_hash?.toString("hex"),
      hash: hash?.toString("hex"),
    }),
  };
}
