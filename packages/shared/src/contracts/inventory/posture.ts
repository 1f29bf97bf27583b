import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
import { RiskCounts, RiskLevel } from "../analyzer/analysis.ts";
import { page, PageInput, Timestamp, Uuid } from "../common.ts";

const Counts = {
  live_count: t.Integer({ description: "Live resources that no exclusion rule names" }),
  matched_count: t.Integer({ description: "Of them, those with a declaration" }),
  undeclared_count: t.Integer({ description: "Of them, all others" }),
  unchecked_count: t.Integer({ description: "Of the undeclared, those that nothing could be compared with" }),
  excluded_count: t.Integer({ description: "Resources that an exclusion rule names" }),
  missing_count: t.Integer({ description: "Declared and not live" }),
};

const ChangedCount = t.Integer({
  description: "Resources whose attributes aren't as declared, noise left out",
});

/** One cloud account at a glance. Coverage and risk appear together, once there is a drift snapshot. */
export const PostureRow = t.Object({
  cloud_account_id: Uuid,
  name: t.Optional(t.String()),
  provider: t.String(),
  external_id: t.String(),
  coverage_pct: t.Optional(t.Number()),
  coverage_reliable: t.Optional(t.Boolean()),
  risk_level: t.Optional(RiskLevel),
  risk_counts: t.Optional(RiskCounts),
  changed_count: t.Optional(ChangedCount),
  ...Counts,
  drift_status: words(["none", "pending", "ready", "error"]),
  drift_snapshot_id: t.Optional(Uuid),
  last_scan_at: t.Optional(Timestamp),
  last_drift_at: t.Optional(Timestamp),
});
export type PostureRow = Static<typeof PostureRow>;

export const GetPosture = defineRequest("inventory.posture.get", {
  input: t.Object({ org_id: Uuid }),
  output: page(PostureRow),
});

/** What an account's last snapshot of a day (UTC) said. */
export const TrendPoint = t.Object({
  cloud_account_id: Uuid,
  date: t.String({ description: "`YYYY-MM-DD`" }),
  drift_snapshot_id: Uuid,
  coverage_pct: t.Number(),
  coverage_reliable: t.Boolean(),
  risk_level: RiskLevel,
  risk_counts: RiskCounts,
  changed_count: ChangedCount,
  ...Counts,
});
export type TrendPoint = Static<typeof TrendPoint>;

export const GetTrend = defineRequest("inventory.posture.trend", {
  input: t.Object({
    org_id: Uuid,
    account_id: t.Optional(Uuid),
    days: t.Integer({ minimum: 1, maximum: 400, description: "How far back, today included" }),
  }),
  output: page(TrendPoint),
});

/** A snapshot in words; `error` when a model was to write it and failed. */
const SnapshotNarrative = t.Object({
  status: words(["queued", "ready", "template", "error"]),
  text: t.Optional(t.String({ description: "Markdown" })),
  source: t.Optional(words(["platform", "byok", "template"])),
  model: t.Optional(t.String()),
  note: t.Optional(t.String({ description: "Why no model wrote it" })),
});

/** The result of one drift computation. */
export const DriftSnapshot = t.Object({
  id: Uuid,
  cloud_account_id: Uuid,
  scan_id: t.Optional(Uuid),
  status: words(["pending", "ready", "error"]),
  error: t.Optional(t.Object({ code: t.String(), message: t.String() })),
  ...Counts,
  changed_count: ChangedCount,
  coverage_pct: t.Number(),
  coverage_reliable: t.Boolean(),
  risk_level: RiskLevel,
  risk_counts: RiskCounts,
  narrative: t.Optional(SnapshotNarrative),
  created_at: Timestamp,
});
export type DriftSnapshot = Static<typeof DriftSnapshot>;

export const ListSnapshots = defineRequest("inventory.drift_snapshots.list", {
  input: t.Object({
    ...PageInput,
    account_id: t.Optional(Uuid),
    status: t.Optional(words(["pending", "ready", "error"])),
  }),
  output: page(DriftSnapshot),
});
export const GetSnapshot = defineRequest("inventory.drift_snapshots.get", {
  input: t.Object({ org_id: Uuid, snapshot_id: Uuid }),
  output: DriftSnapshot,
});

/** Keeps with a snapshot what it means in words. */
export const NoteNarrative = defineRequest("inventory.narratives.note", {
  input: t.Object({ org_id: Uuid, snapshot_id: Uuid, narrative: SnapshotNarrative }),
  output: t.Object({}),
});

/** A reason to leave live resources out of the counts. */
export const ExclusionRule = t.Object({
  id: t.String(),
  provider: t.String(),
  title: t.String(),
  enabled: t.Boolean(),
  excluded_count: t.Integer({ description: "Live resources that it leaves out now" }),
});

export const ListExclusionRules = defineRequest("inventory.exclusion_rules.list", {
  input: t.Object({ org_id: Uuid }),
  output: page(ExclusionRule),
});
export const SwitchExclusionRule = defineRequest("inventory.exclusion_rules.switch", {
  input: t.Object({ org_id: Uuid, rule_id: t.String(), enabled: t.Boolean() }),
  output: ExclusionRule,
  timeoutMs: 120_000,
});
