import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { NarrativeAnswer, RiskCounts, RiskLevel } from "../analyzer/analysis.ts";
import { page, PageInput, Timestamp, Uuid } from "../common.ts";
import { RETENTION } from "../retention.ts";
import { SCAN_STATUSES } from "./scans.ts";

const Counts = {
  live_count: t.Integer({ description: "Live resources that no exclusion rule matches" }),
  matched_count: t.Integer({ description: "Live resources that are declared" }),
  undeclared_count: t.Integer({ description: "Live resources that aren't declared" }),
  unchecked_count: t.Integer({ description: "Undeclared resources of types that can't be matched reliably" }),
  excluded_count: t.Integer({ description: "Resources that an exclusion rule matches" }),
  missing_count: t.Integer({ description: "Declared resources that aren't live" }),
};

const ChangedCount = t.Integer({
  description: "Resources whose attributes differ from their declaration, without noise",
});

const HiddenCount = t.Integer({
  description:
    "Drift changes that rules of the organization hide. They aren't in the risk; coverage and counts ignore rules",
});

/** Absent in failed snapshots, and in those older than the rating of undeclared resources. */
const UndeclaredRisk = {
  undeclared_risk_level: t.Optional(
    t.Unsafe<RiskLevel>({
      ...RiskLevel,
      description:
        "Highest level of undeclared resources, rated as if a plan created them. Not part of `risk_level`",
    }),
  ),
  undeclared_risk_counts: t.Optional(
    t.Unsafe<RiskCounts>({
      ...RiskCounts,
      description:
        "Undeclared resources by level, and undeclared grants on declared resources. Ignored ones aren't counted",
    }),
  ),
};

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
  ...UndeclaredRisk,
  changed_count: t.Optional(ChangedCount),
  hidden_count: t.Optional(HiddenCount),
  ...Counts,
  unobserved_count: t.Integer({
    description:
      "Declared resources that are neither live nor missing, because no listing shows them or several live resources fit",
  }),
  drift_status: words(["none", "pending", "ready", "error"]),
  drift_snapshot_id: t.Optional(Uuid),
  last_scan_at: t.Optional(Timestamp),
  last_drift_at: t.Optional(Timestamp),
  latest_scan: t.Optional(
    t.Object(
      {
        id: Uuid,
        status: words(SCAN_STATUSES),
        at: t.Unsafe<string>({ ...Timestamp, description: "When it ended, or else when it was requested" }),
      },
      { description: "The latest scan, even if it failed" },
    ),
  ),
});
export type PostureRow = Static<typeof PostureRow>;

export const GetPosture = defineRequest("inventory.posture.get", {
  fromReplica: true,
  input: t.Object({ org_id: Uuid }),
  output: page(PostureRow),
});

/** Result of an account's last snapshot of a day (UTC). */
export const TrendPoint = t.Object({
  cloud_account_id: Uuid,
  date: t.String({ description: "`YYYY-MM-DD`" }),
  drift_snapshot_id: Uuid,
  coverage_pct: t.Number(),
  coverage_reliable: t.Boolean(),
  risk_level: RiskLevel,
  risk_counts: RiskCounts,
  ...UndeclaredRisk,
  changed_count: ChangedCount,
  ...Counts,
});
export type TrendPoint = Static<typeof TrendPoint>;

export const GetTrend = defineRequest("inventory.posture.trend", {
  fromReplica: true,
  input: t.Object({
    org_id: Uuid,
    account_id: t.Optional(Uuid),
    days: t.Integer({
      minimum: 1,
      maximum: RETENTION.drift.days,
      description: "Number of days, including today",
    }),
  }),
  output: page(TrendPoint),
});

/** A snapshot explained in words; `error` if a model should have written it and failed. */
const SnapshotNarrative = t.Object({
  status: words(["queued", "ready", "template", "error"]),
  text: t.Optional(t.String({ description: "Markdown" })),
  source: t.Optional(words(["platform", "byok", "template"])),
  model: t.Optional(t.String()),
  note: t.Optional(t.String({ description: "Why the text isn't from a model" })),
  answer: t.Optional(NarrativeAnswer),
});

/** Result of one drift computation. Coverage and risk appear together, once it is no longer pending. */
export const DriftSnapshot = t.Object({
  id: Uuid,
  cloud_account_id: Uuid,
  scan_id: t.Optional(Uuid),
  status: words(["pending", "ready", "error"]),
  error: t.Optional(t.Object({ code: t.String(), message: t.String() })),
  ...Counts,
  changed_count: ChangedCount,
  hidden_count: t.Optional(HiddenCount),
  coverage_pct: t.Optional(t.Number()),
  coverage_reliable: t.Optional(t.Boolean()),
  risk_level: t.Optional(RiskLevel),
  risk_counts: t.Optional(RiskCounts),
  ...UndeclaredRisk,
  narrative: t.Optional(SnapshotNarrative),
  created_at: Timestamp,
});
export type DriftSnapshot = Static<typeof DriftSnapshot>;

export const ListSnapshots = defineRequest("inventory.drift_snapshots.list", {
  fromReplica: true,
  input: t.Object({
    ...PageInput,
    account_id: t.Optional(Uuid),
    status: t.Optional(words(["pending", "ready", "error"])),
  }),
  output: page(DriftSnapshot),
});
export const GetSnapshot = defineRequest("inventory.drift_snapshots.get", {
  callers: ["gateway", "analyzer"],
  input: t.Object({ org_id: Uuid, snapshot_id: Uuid }),
  output: DriftSnapshot,
});

/** Stores a snapshot's narrative. */
export const NoteNarrative = defineRequest("inventory.narratives.note", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid, snapshot_id: Uuid, narrative: SnapshotNarrative }),
  output: t.Object({}),
});

/** A rule that excludes live resources from the counts. */
export const ExclusionRule = t.Object({
  id: t.String(),
  provider: t.String(),
  title: t.String(),
  enabled: t.Boolean(),
  excluded_count: t.Integer({ description: "Live resources that the rule excludes now" }),
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
