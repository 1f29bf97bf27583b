import { currentContext } from "@leeway/shared/context";
import type { Actor } from "@leeway/shared/contracts/common";
import type { OrgStatements } from "@leeway/shared/database/database";

import type { AuditAction, AuditDetails, AuditEntry, AuditOutcome } from "../identity.ts";

interface NewEntry {
  actor: Actor;
  action: AuditAction;
  /** Absent until what is being made has an id. */
  targetId?: string;
  details?: AuditDetails;
  outcome?: AuditOutcome;
}

/**
 * Writes down a change, in the transaction that makes it; of a person with the address of their membership, which isn't known
 * any more when they have left.
 * @returns the entry's id
 */
export async function writeAudit(sql: OrgStatements, entry: NewEntry): Promise<string> {
  const { actor, action, targetId, details = {}, outcome = "done" } = entry;
  const id = Bun.randomUUIDv7();
  const personId = actor.type === "person" ? actor.id : null;
  await sql`
    insert into identity.audit_log (org_id, id, actor, action, target_id, details, outcome, request_id)
    select ${sql.orgId}, ${id},
           ${sql.part.json(actor)}::jsonb || jsonb_strip_nulls(jsonb_build_object('name', (
             select email from identity.members where org_id = ${sql.orgId} and person_id = ${personId}::uuid
           ))),
           ${action}, ${targetId ?? null}, ${sql.part.json(details)}, ${outcome}, ${currentContext()?.requestId ?? id}
  `;
  return id;
}

/** What becomes of an entry that was written before its change was tried. */
export interface Settlement {
  outcome: AuditOutcome;
  /** Where it turned out to be another. */
  action?: AuditAction;
  targetId?: string;
  details?: AuditDetails;
}

/** Completes an entry that was written before its change was tried. */
export async function settleAudit(
  sql: OrgStatements,
  id: string,
  { outcome, action, targetId, details = {} }: Settlement,
): Promise<void> {
  await sql`
    update identity.audit_log
       set outcome = ${outcome},
           action = coalesce(${action ?? null}, action),
           target_id = coalesce(${targetId ?? null}, target_id),
           details = details || ${sql.part.json(details)}
     where org_id = ${sql.orgId}
       and id = ${id}
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
}

interface AuditPage {
  before: string | undefined;
  /** Of this action alone. */
  action: AuditAction | undefined;
  /** By this person or key alone. */
  actorId: string | undefined;
  limit: number;
}

/**
 * Entries before `before`, newest first; with what people were called by the organization, and what they and keys are called now
 * where that isn't written down. What the token of somebody says who isn't a member any more could be anybody's name.
 */
export async function listAudit(
  sql: OrgStatements,
  { before, action, actorId, limit }: AuditPage,
): Promise<AuditEntry[]> {
  const rows = await sql<Row>`
    select a.id, a.at, a.actor, coalesce(a.actor ->> 'name', m.email, p.email, p.name, k.name) as actor_name,
           a.action, a.target_id, a.details, a.outcome, a.request_id
      from identity.audit_log a
      left join identity.members m
        on m.org_id = a.org_id
       and m.person_id = case when a.actor ->> 'type' = 'person' then (a.actor ->> 'id')::uuid end
      left join identity.people p on p.id = m.person_id
      left join identity.api_keys k
        on k.org_id = a.org_id
       and k.id = case when a.actor ->> 'type' = 'api_key' then (a.actor ->> 'id')::uuid end
     where a.org_id = ${sql.orgId}
       and (${before ?? null}::uuid is null or a.id < ${before ?? null})
       ${action === undefined ? sql.part`` : sql.part`and a.action = ${action}`}
       ${actorId === undefined ? sql.part`` : sql.part`and a.actor_id = ${actorId}`}
     order by a.id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}

function fromRow({ at, actor, actor_name: name, target_id: targetId, ...row }: Row): AuditEntry {
  const [type = ""] = row.action.split(".");
  return {
    ...row,
    at: at.toISOString(),
    actor: { ...actor, ...(name !== null && { name }) },
    target: { type, ...(targetId !== null && { id: targetId }) },
  };
}
