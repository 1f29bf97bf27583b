import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest } from "../contract.ts";
import { Actor, Timestamp, Uuid } from "../common.ts";

/** Plain facts about a change; never a secret. */
export const AuditDetails = t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()]));
export type AuditDetails = Static<typeof AuditDetails>;

/** Audited actions, as `<entity>.<verb>`. */
export const AUDIT_ACTIONS = [
  "api_key.create",
  "api_key.delete",
  "api_key.rotate",
  "ci_identity.create",
  "ci_identity.delete",
  "cloud_account.create",
  "cloud_account.delete",
  "cloud_account.push",
  "cloud_account.update",
  "cloud_account.verify",
  "drift_change.decide",
  "drift_change.decide_many",
  "drift_change.reopen",
  "drift_change.settle",
  "drift_change.undo",
  "exclusion_rule.update",
  "iac_source.bind",
  "iac_source.create",
  "iac_source.delete",
  "iac_source.push",
  "iac_source.read",
  "iac_source.update",
  "llm_config.create",
  "llm_config.delete",
  "llm_config.update",
  "member.create",
  "member.delete",
  "member.join",
  "member.update",
  "notification_channel.create",
  "notification_channel.delete",
  "notification_channel.disable",
  "notification_channel.test",
  "notification_channel.update",
  "notification_delivery.redeliver",
  "notification_recipient.ask",
  "notification_recipient.confirm",
  "notification_recipient.unsubscribe",
  "organization.create",
  "organization.delete",
  "organization.set_plan",
  "organization.update",
  "plan.submit",
  "plan_noise.fix",
  "plan_noise.update",
  "rule.create",
  "rule.delete",
  "rule.expire",
  "rule.update",
  "scan.cancel",
  "scan.create",
  "scan_schedule.create",
  "scan_schedule.delete",
  "scan_schedule.disable",
  "scan_schedule.update",
  "settings.update",
  "tool.call",
  "view.create",
  "view.delete",
  "view.update",
  "webhook_config.create",
  "webhook_config.delete",
  "webhook_config.rotate",
  "webhook_config.update",
  "webhook_delivery.replay",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A change, recorded by its service in the same transaction. */
export const AuditRecord = t.Object({
  id: Uuid,
  at: Timestamp,
  actor: Actor,
  action: t.String({ pattern: String.raw`^[a-z_]+\.[a-z_]+$` }),
  target_id: t.Optional(t.String()),
  details: AuditDetails,
  request_id: t.String(),
});
export type AuditRecord = Static<typeof AuditRecord>;

/** Maximum number of entries in one request. */
export const MAX_RECORDS = 100;

/** Adds entries to the organization's audit log, each once by its id. */
export const RecordAudit = defineRequest("gateway.audit.record", {
  callers: ["analyzer", "inventory", "quota", "webhooks"],
  input: t.Object({ org_id: Uuid, entries: t.Array(AuditRecord, { maxItems: MAX_RECORDS }) }),
  output: t.Object({}),
  timeoutMs: 10_000,
});
