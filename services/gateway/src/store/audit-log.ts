import { currentContext } from "@leeway/shared/context";
import type { Actor } from "@leeway/shared/contracts/common";
import type { OrgStatements } from "@leeway/shared/database/database";

import type { AuditDetails, AuditEntry, AuditOutcome } from "../identity.ts";

/** What was done, as `<entity>.<verb>`. */
export type AuditAction =
  | "api_key.create"
  | "api_key.delete"
  | "api_key.rotate"
  | "cloud_account.create"
  | "cloud_account.delete"
  | "cloud_account.push"
  | "cloud_account.update"
  | "cloud_account.verify"
  | "drift_change.decide"
  | "exclusion_rule.update"
  | "iac_source.create"
  | "iac_source.delete"
  | "iac_source.push"
  | "iac_source.update"
  | "llm_config.create"
  | "llm_config.delete"
  | "llm_config.update"
  | "member.create"
  | "member.delete"
  | "member.update"
  | "notification_channel.create"
  | "notification_channel.delete"
  | "notification_channel.test"
  | "notification_channel.update"
  | "notification_delivery.redeliver"
  | "organization.create"
  | "organization.delete"
  | "organization.set_plan"
  | "organization.update"
  | "scan.cancel"
  | "scan.create"
  | "plan_noise.update"
  | "scan_schedule.create"
  | "scan_schedule.delete"
  | "scan_schedule.update"
  | "settings.update"
  | "webhook_config.create"
  | "webhook_config.delete"
  | "webhook_config.rotate"
  | "webhook_config.update"
  | "webhook_delivery.replay";

interface NewEntry {
  actor: Actor;
  action: AuditAction;
  /** Absent until what is being made has an id. */
  targetId?: string;
  details?: AuditDetails;
  outcome?: AuditOutcome;
}

/** Writes down a change, in the transaction that makes it. @returns the entry's id */
export async function writeAudit(sql: OrgStatements, entry: NewEntry): Promise<string> {
  const { actor, action, targetId, details = {}, outcome = "done" } = entry;
  const id = Bun.randomUUIDv7();
  await sql`
    insert into identity.audit_log (org_id, id, actor, action, target_id, details, outcome, request_id)
    values (${sql.orgId}, ${id}, ${sql.part.json(actor)}, ${action}, ${targetId ?? null},
            ${sql.part.json(details)}, ${outcome}, ${currentContext()?.requestId ?? id})
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
  action: string;
  target_id: string | null;
  details: AuditDetails;
  outcome: AuditOutcome;
  request_id: string;
}

/** Entries before `before`, newest first. */
export async function listAudit(
  sql: OrgStatements,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  const rows = await sql<Row>`
    select id, at, actor, action, target_id, details, outcome, request_id
      from identity.audit_log
     where org_id = ${sql.orgId}
       and (${before ?? null}::uuid is null or id < ${before ?? null})
     order by id desc
     limit ${limit}
  `;
  return rows.map(fromRow);
}

function fromRow({ at, target_id: targetId, ...row }: Row): AuditEntry {
  const [type = ""] = row.action.split(".");
  return { ...row, at: at.toISOString(), target: { type, ...(targetId !== null && { id: targetId }) } };
}
