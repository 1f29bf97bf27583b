import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../../contract.ts";

export const RISK_LEVELS = ["critical", "high", "medium", "low", "none"] as const;
export const RiskLevel = words(RISK_LEVELS);
export type RiskLevel = Static<typeof RiskLevel>;

const Count = t.Integer({ minimum: 0 });
export const RiskCounts = t.Object({ critical: Count, high: Count, medium: Count, low: Count });
export type RiskCounts = Static<typeof RiskCounts>;

/** Whether rules count as the interface's examples have it (`baseline`) or as their table says (`strict`). */
export const RiskProfile = words(["baseline", "strict"]);
export type RiskProfile = Static<typeof RiskProfile>;

/** Steps from a resource down to an attribute, as in Terraform's `replace_paths`. */
export const Path = t.Array(t.Union([t.String(), t.Integer()]));
export type Path = Static<typeof Path>;

/** In Terraform's words: `no-op`, `create`, `read`, `update`, `delete`, `forget`, and pairs of them. */
const Actions = t.Array(t.String());

/** Something about a plan that a rule speaks of. */
export const Finding = t.Object({
  id: t.String({ description: "Of the finding in this result: `<rule>:<address>`" }),
  rule: t.String({ description: "Such as R01; documented and stable" }),
  flag: t.String({ description: "The rule's name, such as destroy_stateful" }),
  risk_level: RiskLevel,
  address: t.String({ description: "Of the resource; empty for what concerns the plan as a whole" }),
  resource_type: t.String(),
  actions: Actions,
  paths: t.Array(Path, { description: "Of the attributes that the rule goes by" }),
  replace_paths: t.Optional(t.Array(Path)),
  message: t.String({ description: "One sentence; no value in it that was masked" }),
});
export type Finding = Static<typeof Finding>;

/** One attribute that differs; sides that are absent are null. Secrets are masked. */
export const AttributeChange = t.Object({
  path: Path,
  before: t.Unknown(),
  after: t.Unknown(),
  before_sensitive: t.Boolean(),
  after_sensitive: t.Boolean(),
  unknown: t.Boolean({ description: "Whether it is known only after it is applied" }),
});
export type AttributeChange = Static<typeof AttributeChange>;

export const NOISE_CLASSES = [
  "json_policy_normalization",
  "set_order",
  "tags_all_default_tags",
  "external_tags",
  "timestamp_value",
  "computed_only",
  "case_change",
  "trailing_char",
  "number_string_bool",
  "default_materialized",
  "autoscaler_owned",
  "ami_or_image_latest",
  "secret_rotation",
  "inline_vs_standalone",
  "equivalent_value",
  "provider_upgrade_churn",
] as const;
export const NoiseClass = words(NOISE_CLASSES);
export type NoiseClass = Static<typeof NoiseClass>;

export const NoiseFingerprint = t.String({
  pattern: "^pn1_[a-z2-7]{26}$",
  errorMessage: "must be pn1_ and 26 characters of a to z and 2 to 7",
});

/** Noise of one kind in a plan, over all its resources. */
export const NoiseGroup = t.Object({
  fingerprint: NoiseFingerprint,
  class: NoiseClass,
  title: t.String(),
  resource_type: t.String(),
  provider_name: t.String(),
  path_pattern: t.String({ description: "Steps joined by dots, indices and map keys as *" }),
  keys: t.Optional(t.Array(t.String(), { description: "Of tags: the names of those that differ" })),
  confidence: t.Number({ minimum: 0, maximum: 1 }),
  hidden: t.Boolean({ description: "Whether it is left out of the findings" }),
  muted: t.Optional(t.Boolean({ description: "Whether it is muted: comments and words leave it out" })),
  addresses: t.Array(t.String()),
  count: Count,
  fix_available: t.Boolean(),
  sample: t.Object(
    {
      before: t.Unknown(),
      after: t.Unknown(),
      outside: t.Optional(
        t.Boolean({
          description: "Whether it was changed outside: what the cloud has is `after` then, else `before`",
        }),
      ),
      varies: t.Optional(t.Boolean({ description: "Whether others of its kind have other values" })),
    },
    { description: "Masked, and cut when long" },
  ),
});
export type NoiseGroup = Static<typeof NoiseGroup>;

/** What was changed outside of the plan's tool, or is to be. */
export const PlannedDrift = t.Object({
  kind: words(["changed", "missing"]),
  address: t.String(),
  module_address: t.Optional(t.String()),
  resource_type: t.String(),
  provider_name: t.String(),
  actions: Actions,
  attribute_changes: t.Array(AttributeChange),
  relevant: t.Boolean({ description: "Whether the plan has changes because of it" }),
  risk_level: RiskLevel,
  risk_flags: t.Array(t.Object({ rule: t.String(), flag: t.String(), evidence: t.Array(Path) })),
  noise: t.Optional(
    t.Object(
      { fingerprint: NoiseFingerprint, class: NoiseClass, confidence: t.Number() },
      { description: "What it is, when nothing of it is more than noise" },
    ),
  ),
  fingerprint: t.String({ description: "Of resource, kind and paths, without values" }),
});
export type PlannedDrift = Static<typeof PlannedDrift>;

/** How many resources a plan does what to. */
export const PlanSummary = t.Object({
  create: Count,
  update: Count,
  replace: Count,
  delete: Count,
  import: Count,
  forget: Count,
  move: t.Optional(t.Integer({ minimum: 0, description: "Given another address; absent where none is" })),
  read: Count,
  no_op: Count,
});
export type PlanSummary = Static<typeof PlanSummary>;

/** What a plan says, by rules alone. Findings come worst first, then by address and rule; drift worst first, then by address. */
export const Analysis = t.Object({
  warnings: t.Array(t.String()),
  errored: t.Optional(t.Boolean({ description: "Whether the plan failed: what else is here isn't all" })),
  risk_level: t.Unsafe<RiskLevel>({ ...RiskLevel, description: "Of the plan's changes; drift has its own" }),
  risk_counts: RiskCounts,
  summary: PlanSummary,
  findings: t.Array(Finding),
  drift: t.Array(PlannedDrift),
  noise: t.Array(NoiseGroup),
});
export type Analysis = Static<typeof Analysis>;

/** What a plan means, in words. */
export const Narrative = t.Object({
  text: t.String({ description: "Markdown" }),
  source: words(["platform", "byok", "template"]),
  model: t.Optional(t.String()),
  note: t.Optional(t.String({ description: "Why no model wrote it" })),
});
export type Narrative = Static<typeof Narrative>;

export const FailOn = words(["critical", "high", "medium", "low", "never"]);
export type FailOn = Static<typeof FailOn>;

/** What became of a comment. */
export const CommentOutcome = t.Object({
  posted: t.Boolean(),
  url: t.Optional(t.String()),
  error: t.Optional(t.String()),
});

export type CommentOutcome = Static<typeof CommentOutcome>;

/** The result of an analyze job. */
export const AnalyzeResult = t.Object({
  ...Analysis.properties,
  narrative: Narrative,
  gate: t.Object({ fail_on: FailOn, passed: t.Boolean() }),
  comment: t.Optional(CommentOutcome),
  report_url: t.String({ description: "The dashboard's page of it, for people" }),
});
export type AnalyzeResult = Static<typeof AnalyzeResult>;

export const FixStrategy = words([
  "normalize",
  "explicit_default",
  "provider_setting",
  "ignore_changes",
  "upgrade_provider",
]);
export type FixStrategy = Static<typeof FixStrategy>;

/** The result of a plan_noise_fix job. */
export const FixResult = t.Object({
  strategy: FixStrategy,
  explanation: t.String(),
  patches: t.Array(t.Object({ path: t.String(), diff: t.String({ description: "Unified" }) })),
  hcl: t.String({ description: "The block as it is to be, or as an example where none was given" }),
  risks: t.Array(t.String()),
  verified: t.Object({
    parsed: t.Boolean(),
    formatted: t.Boolean(),
    replan: words(["not_run", "clean", "still_noisy"]),
  }),
});
export type FixResult = Static<typeof FixResult>;
