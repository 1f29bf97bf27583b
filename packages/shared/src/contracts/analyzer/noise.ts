import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../../contract.ts";
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

const NOISE_STATUSES = ["active", "muted", "fixed"] as const;

/** A kind of noise that an organization's plans had. */
export const PlanNoise = t.Object({
  fingerprint: NoiseFingerprint,
  class: NoiseClass,
  resource_type,
  provider_name,
  path_pattern,
  title,
  confidence,
  occurrences: t.Integer({ description: "In plans; several in one plan count once" }),
  projects: t.Array(t.String({ description: "`repository` or `repository:project`" })),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  sample,
  status: t.Unsafe<(typeof NOISE_STATUSES)[number]>({
    ...words(NOISE_STATUSES),
    description: "`fixed` once plans of all its projects have come without it, until it is seen again",
  }),
  muted_until: t.Optional(Timestamp),
  muted_reason: t.Optional(t.String()),
  fix_job_id: t.Optional(Uuid),
});
export type PlanNoise = Static<typeof PlanNoise>;

export const ListNoise = defineRequest("analyzer.noise.list", {
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

/** Whether plans hide a kind of noise for good: muted noise, until then or until it is active again. */
export const NoiseChanges = t.Object({
  status: words(["active", "muted"]),
  until: t.Optional(Timestamp),
  reason: t.Optional(t.String({ minLength: 1, maxLength: 500 })),
});
export const ChangeNoise = defineRequest("analyzer.noise.change", {
  input: t.Object({ org_id: Uuid, fingerprint: NoiseFingerprint, ...NoiseChanges.properties }),
  output: PlanNoise,
});

/** How much code a fix can be made of; a body of JSON may have 1 MiB in all. */
export const MOST_FIX_SOURCES = { files: 100, jsonBytes: 900_000 };

/** What a fix is to be made of and how. */
export const FixWish = t.Object({
  repository: t.Optional(t.String({ maxLength: 1_000 })),
  ref: t.Optional(t.String({ maxLength: 1_000 })),
  source: t.Optional(
    t.Array(t.Object({ path: t.String({ minLength: 1, maxLength: 1_000 }), hcl: t.String() }), {
      maxItems: MOST_FIX_SOURCES.files,
      description: "At most 900,000 bytes as JSON",
    }),
  ),
  strategy: t.Optional(words(["auto", "normalize", "ignore_changes", "upgrade_provider"])),
  open_change_request: t.Optional(t.Boolean({ default: false })),
});
export type FixWish = Static<typeof FixWish>;

/** Has a fix for a kind of noise made. While one is made for it already, that job is given (`conflict`, `job_id`). */
export const FixNoise = defineRequest("analyzer.noise.fix", {
  input: t.Object({
    org_id: Uuid,
    job_id: NewId,
    fingerprint: NoiseFingerprint,
    requested_by: Actor,
    ...FixWish.properties,
  }),
  output: Submitted,
});

/** How an organization wants its plans judged. */
export const AnalyzerSettings = t.Object({
  risk_profile: RiskProfile,
  comment_min_risk: RiskLevel,
  drift_narratives: t.Boolean(),
});
export type AnalyzerSettings = Static<typeof AnalyzerSettings>;
export const AnalyzerSettingsChanges = t.Partial(AnalyzerSettings, { minProperties: 1 });

export const GetSettings = defineRequest("analyzer.settings.get", {
  input: t.Object({ org_id: Uuid }),
  output: AnalyzerSettings,
});
export const UpdateSettings = defineRequest("analyzer.settings.update", {
  input: t.Object({ org_id: Uuid, ...AnalyzerSettingsChanges.properties }),
  output: AnalyzerSettings,
});
