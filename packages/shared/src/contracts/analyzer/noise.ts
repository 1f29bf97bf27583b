import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { Actor, NewId, page, PageInput, Timestamp, Uuid } from "../common.ts";
import { NoiseClass, NoiseFingerprint, NoiseGroup, RiskLevel, RiskProfile } from "./analysis.ts";
import { Submitted } from "./jobs.ts";

const {
  class: _class,
  title,
  resource_type,
  provider_name,
  path_pattern,
  confidence,
  sample,
} = NoiseGroup.properties;

export const NOISE_STATUSES = ["active", "muted", "fixed"] as const;

/** A kind of noise found in an organization's plans. */
export const PlanNoise = t.Object({
  fingerprint: NoiseFingerprint,
  class: NoiseClass,
  resource_type,
  provider_name,
  path_pattern,
  title,
  confidence,
  occurrences: t.Integer({ description: "Number of plans that contained it" }),
  projects: t.Array(t.String({ description: "`repository` or `repository:project`" })),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  sample,
  status: t.Unsafe<(typeof NOISE_STATUSES)[number]>({
    ...words(NOISE_STATUSES),
    description:
      "`fixed` means that recent plans of all its projects didn't contain it. It becomes `active` again when a plan does",
  }),
  muted_until: t.Optional(Timestamp),
  muted_reason: t.Optional(t.String()),
  muted_in: t.Optional(
    t.Array(
      t.Object({
        repository: t.String(),
        until: t.Optional(Timestamp),
        reason: t.Optional(t.String()),
        by: Actor,
      }),
      { description: "Repositories in which a comment muted it" },
    ),
  ),
  fix_job_id: t.Optional(Uuid),
});
export type PlanNoise = Static<typeof PlanNoise>;

export const ListNoise = defineRequest("analyzer.noise.list", {
  fromReplica: true,
  callers: ["gateway", "inventory"],
  input: t.Object({
    ...PageInput,
    class: t.Optional(NoiseClass),
    status: t.Optional(words(NOISE_STATUSES)),
  }),
  output: page(PlanNoise),
});
export const GetNoise = defineRequest("analyzer.noise.get", {
  input: t.Object({ org_id: Uuid, fingerprint: NoiseFingerprint }),
  output: PlanNoise,
});

/** Setting for a kind of noise: muted noise is hidden in plans until the given time, or until it is active again. */
export const NoiseChanges = t.Object({
  status: words(["active", "muted"]),
  until: t.Optional(Timestamp),
  reason: t.Optional(t.String({ minLength: 1, maxLength: 500 })),
});
export const ChangeNoise = defineRequest("analyzer.noise.change", {
  input: t.Object({ org_id: Uuid, fingerprint: NoiseFingerprint, ...NoiseChanges.properties }),
  output: PlanNoise,
});

/** Limits on the code for a fix. A JSON body may have 1 MiB in total. */
export const MAX_FIX_SOURCES = { files: 100, jsonBytes: 900_000 };

/** Input and options of a fix. */
export const FixInput = t.Object({
  repository: t.Optional(t.String({ maxLength: 1_000 })),
  ref: t.Optional(t.String({ maxLength: 1_000 })),
  source: t.Optional(
    t.Array(t.Object({ path: t.String({ minLength: 1, maxLength: 1_000 }), hcl: t.String() }), {
      maxItems: MAX_FIX_SOURCES.files,
      description: "At most 900,000 bytes as JSON",
    }),
  ),
  strategy: t.Optional(words(["auto", "normalize", "ignore_changes", "upgrade_provider"])),
  open_change_request: t.Optional(
    t.Boolean({
      default: false,
      description:
        "Whether to put the fix on the merge or pull request of the IaC source whose repository is `repository`, or by default the noise's. Leeway reads the code there, so `source` isn't allowed",
    }),
  ),
  source_id: t.Optional(
    t.Unsafe<string>({ ...Uuid, description: "IaC source, if several have the repository" }),
  ),
});
export type FixInput = Static<typeof FixInput>;

/** Queues a fix for a kind of noise. If one is already in progress, fails with `conflict` and its `job_id`. */
export const FixNoise = defineRequest("analyzer.noise.fix", {
  input: t.Object({
    org_id: Uuid,
    job_id: NewId,
    fingerprint: NoiseFingerprint,
    requested_by: Actor,
    ...FixInput.properties,
  }),
  output: Submitted,
});

export const COMMENT_DECISIONS = ["none", "acknowledge", "ignore"] as const;
export type CommentDecisions = (typeof COMMENT_DECISIONS)[number];

/** An organization's settings for plan analysis, and the decisions that comments may make. */
export const AnalyzerSettings = t.Object({
  risk_profile: RiskProfile,
  comment_min_risk: RiskLevel,
  drift_narratives: t.Boolean(),
  comment_decisions: t.Unsafe<CommentDecisions>({
    ...words(COMMENT_DECISIONS),
    description: "Which decisions `/leeway` commands may make for the repository they are written in",
  }),
});
export type AnalyzerSettings = Static<typeof AnalyzerSettings>;
export const AnalyzerSettingsChanges = t.Partial(AnalyzerSettings, { minProperties: 1 });

export const GetSettings = defineRequest("analyzer.settings.get", {
  callers: ["gateway", "inventory"],
  input: t.Object({ org_id: Uuid }),
  output: AnalyzerSettings,
});
export const UpdateSettings = defineRequest("analyzer.settings.update", {
  input: t.Object({ org_id: Uuid, ...AnalyzerSettingsChanges.properties }),
  output: AnalyzerSettings,
});
