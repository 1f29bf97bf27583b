import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { AttributeChange, Path, PlannedDrift, RiskLevel } from "../analyzer/analysis.ts";
import { Actor, page, PageInput, Reason, Timestamp, Uuid } from "../common.ts";

export const DRIFT_KINDS = ["changed", "missing", "undeclared", "pending"] as const;
export const DriftKind = words(DRIFT_KINDS);
export type DriftKind = Static<typeof DriftKind>;

export const DriftFingerprint = t.String({
  pattern: "^dc1_[0-9a-f]{32}$",
  errorMessage: "must be dc1_ and 32 hexadecimal digits",
});

const DISPOSITIONS = ["open", "acknowledged", "ignored", "resolved"] as const;

/** What people decided about a change; what no snapshot has any more is resolved. */
const Disposition = t.Object({
  status: words(DISPOSITIONS),
  until: t.Optional(Timestamp),
  reason: t.Optional(t.String()),
  by: t.Optional(Actor),
});

/** Who made a change outside the code, as the cloud's audit log tells. */
const DriftActor = t.Object(
  {
    principal: t.String({ description: "In the cloud's words: an ARN, an e-mail address" }),
    event: t.String({ description: "What the cloud calls what was done" }),
    source: words(["aws_cloudtrail", "gcp_audit_log", "azure_activity_log"]),
    at: Timestamp,
  },
  { description: "Absent where nobody knows: logs come late, and not every account's may be read" },
);
export type DriftActor = Static<typeof DriftActor>;

/** One difference between what is declared and what is live. Secrets are masked. */
export const DriftChange = t.Object({
  id: Uuid,
  cloud_account_id: Uuid,
  kind: DriftKind,
  actions: t.Array(t.String({ description: "What happened outside, in Terraform's words" })),
  address: t.Optional(t.String()),
  module_address: t.Optional(t.String()),
  resource_type: t.String(),
  provider_name: t.String(),
  provider_resource_id: t.Optional(t.String()),
  resource_name: t.Optional(t.String({ description: "What people call it, where nothing declares it" })),
  live_resource_id: t.Optional(Uuid),
  iac_resource_id: t.Optional(Uuid),
  attribute_changes: t.Array(AttributeChange, {
    description: "Before is what is declared, after what is live",
  }),
  risk_level: RiskLevel,
  risk_flags: t.Array(t.Object({ rule: t.String(), flag: t.String(), evidence: t.Array(Path) })),
  noise: PlannedDrift.properties.noise,
  fingerprint: DriftFingerprint,
  first_seen_at: Timestamp,
  seen_count: t.Integer({ description: "Snapshots of the account that had it" }),
  disposition: Disposition,
  actor: t.Optional(DriftActor),
});
export type DriftChange = Static<typeof DriftChange>;

const ChangeFilter = {
  kind: t.Optional(DriftKind),
  risk_level: t.Optional(RiskLevel),
  noise: t.Optional(
    t.Unsafe<"exclude" | "only" | "include">({
      ...words(["exclude", "only", "include"]),
      default: "exclude",
      description: "What to do with changes of which nothing is more than noise",
    }),
  ),
};

/** Changes that accounts have now, worst first. */
export const ListDriftChanges = defineRequest("inventory.drift_changes.list", {
  input: t.Object({
    ...PageInput,
    account_id: t.Optional(Uuid),
    ...ChangeFilter,
    disposition: t.Optional(words(["open", "acknowledged", "ignored"])),
  }),
  output: page(DriftChange),
});

/** Changes that a snapshot had, worst first, with what is decided about them now. */
export const ListSnapshotChanges = defineRequest("inventory.snapshot_changes.list", {
  input: t.Object({
    ...PageInput,
    snapshot_id: Uuid,
    ...ChangeFilter,
    ignored: t.Optional(
      t.Unsafe<"exclude" | "include">({
        ...words(["exclude", "include"]),
        description: "What to do with changes that people ignore; they are in the list where nothing is said",
      }),
    ),
  }),
  output: page(DriftChange),
});

/** What one snapshot of an account has and another has not; noise is left out. */
export const DriftDiff = t.Object({
  base: Uuid,
  snapshot: Uuid,
  new: t.Array(DriftChange, { description: "The worst 500" }),
  new_count: t.Integer(),
  resolved: t.Array(DriftChange, { description: "The worst 500" }),
  resolved_count: t.Integer(),
  persisting_count: t.Integer(),
});
export type DriftDiff = Static<typeof DriftDiff>;

/** @throws {AppError} `not_found`; `invalid_parameter` for a base of another account */
export const DiffSnapshots = defineRequest("inventory.drift_snapshots.diff", {
  input: t.Object({
    org_id: Uuid,
    snapshot_id: Uuid,
    base: t.Optional(t.Unsafe<string>({ ...Uuid, description: "The one before it where none is given" })),
  }),
  output: DriftDiff,
});

/** What can be decided about a change that is there. */
export const Decision = t.Object({
  status: words(["open", "acknowledged", "ignored"]),
  until: t.Optional(t.Unsafe<string>({ ...Timestamp, description: "When an ignored one is open again" })),
  reason: t.Optional(Reason),
});

/**
 * Decides about a change. A value that changes opens it again.
 * @throws {AppError} `not_found` when no account has it now; `invalid_parameter`; `forbidden` for what is ignored, where
 * that stays as it is
 */
export const DecideDrift = defineRequest("inventory.drift_changes.decide", {
  input: t.Composite([
    t.Object({
      org_id: Uuid,
      fingerprint: DriftFingerprint,
      decided_by: Actor,
      /** Who decides may not take back what somebody ignored. */
      keeps_ignored: t.Optional(t.Boolean()),
    }),
    Decision,
  ]),
  output: DriftChange,
});
