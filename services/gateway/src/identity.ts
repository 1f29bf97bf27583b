import { words } from "@leeway/shared/contract";
import { Actor, Timestamp, Uuid } from "@leeway/shared/contracts/common";
import { Type as t, type Static } from "@sinclair/typebox";

import { KeyRole, Role } from "./auth/roles.ts";

export const Organization = t.Object({
  id: Uuid,
  name: t.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Organization = Static<typeof Organization>;

/** An organization as one of its members sees it. */
export const OwnOrganization = t.Composite([Organization, t.Object({ role: Role })]);

export const Member = t.Object({
  id: Uuid,
  email: t.Optional(
    t.String({ description: "Absent for a founder whose identity provider names no address" }),
  ),
  person_id: t.Optional(
    t.String({ format: "uuid", description: "Whose membership it is; absent until an invitation is taken" }),
  ),
  role: Role,
  status: words(["invited", "active"]),
  created_at: Timestamp,
  joined_at: t.Optional(Timestamp),
});
export type Member = Static<typeof Member>;

export const ApiKey = t.Object({
  id: Uuid,
  name: t.String(),
  role: KeyRole,
  prefix: t.String({ description: "What may be shown of its newest secret" }),
  created_by: Actor,
  created_at: Timestamp,
  expires_at: t.Optional(Timestamp),
  last_used_at: t.Optional(Timestamp),
});
export type ApiKey = Static<typeof ApiKey>;

/** A key together with its secret, which is shown this once. */
export const ApiKeyWithSecret = t.Composite([
  ApiKey,
  t.Object({ key: t.String({ description: "The key itself; shown only now" }) }),
]);

/** Plain facts about a change; never a secret. */
const AuditDetails = t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean()]));
export type AuditDetails = Static<typeof AuditDetails>;

const AuditOutcome = words(["unknown", "done", "refused"]);
export type AuditOutcome = Static<typeof AuditOutcome>;

/** What is written down, as `<entity>.<verb>`. */
export const AUDIT_ACTIONS = [
  "api_key.create",
  "api_key.delete",
  "api_key.rotate",
  "cloud_account.create",
  "cloud_account.delete",
  "cloud_account.push",
  "cloud_account.update",
  "cloud_account.verify",
  "drift_change.decide",
  "exclusion_rule.update",
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
  "notification_channel.test",
  "notification_channel.update",
  "notification_delivery.redeliver",
  "organization.create",
  "organization.delete",
  "organization.set_plan",
  "organization.update",
  "plan_noise.update",
  "scan.cancel",
  "scan.create",
  "scan_schedule.create",
  "scan_schedule.delete",
  "scan_schedule.update",
  "settings.update",
  "webhook_config.create",
  "webhook_config.delete",
  "webhook_config.rotate",
  "webhook_config.update",
  "webhook_delivery.replay",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const NamedActor = t.Composite([
  Actor,
  t.Object({
    name: t.Optional(
      t.String({
        description: "A person's address in the organization, or a key's name; absent for a key that is gone",
      }),
    ),
  }),
]);

export const AuditEntry = t.Object({
  id: Uuid,
  at: Timestamp,
  actor: NamedActor,
  action: t.String({ description: "`<entity>.<verb>`" }),
  target: t.Object({ type: t.String(), id: t.Optional(t.String()) }),
  details: AuditDetails,
  outcome: AuditOutcome,
  request_id: t.String(),
});
export type AuditEntry = Static<typeof AuditEntry>;
