import { Type as t, type Static } from "@sinclair/typebox";

import { words } from "../contract.ts";
import { ChangeRequest, PlanPromise } from "./change-request.ts";
import { RISK_LEVELS } from "./risk-levels.ts";

export const RiskLevel = words(RISK_LEVELS);
export type RiskLevel = Static<typeof RiskLevel>;

const Count = t.Integer({ minimum: 0 });
export const RiskCounts = t.Object({ critical: Count, high: Count, medium: Count, low: Count });
export type RiskCounts = Static<typeof RiskCounts>;

/**
 * Strictness of risk levels for plans and drift: `standard` follows the rule table, `lenient` caps most rules at
 * medium.
 */
export const RiskProfile = words(["standard", "lenient"]);
export type RiskProfile = Static<typeof RiskProfile>;

/** Steps from a resource down to an attribute, as in Terraform's `replace_paths`. */
export const Path = t.Array(t.Union([t.String(), t.Integer()]));
export type Path = Static<typeof Path>;

/** Terraform's actions: `no-op`, `create`, `read`, `update`, `delete`, `forget`, and pairs of them. */
const Actions = t.Array(t.String());

/** A rule of the organization, as the cause of an effect. */
const Named = { id: t.String(), name: t.String() };
export const RuleName = t.Object(Named, { description: "Rule of the organization" });

/** Effects of an organization's rules on what is still shown. */
export const RuleEffects = {
  raised: t.Optional(
    t.Object(
      { from: RiskLevel, by: RuleName },
      { description: "Rule of the organization that raised `risk_level`, and the level without rules" },
    ),
  ),
  labels: t.Optional(t.Array(t.String(), { description: "Labels from rules of the organization" })),
};

/** A rule's finding in a plan. */
export const Finding = t.Object({
  id: t.String({ description: "Identifies the finding in this result: `<rule>:<address>`" }),
  rule: t.String({ description: "Rule id such as R01; documented and stable" }),
  flag: t.String({ description: "Name of the rule, such as destroy_stateful" }),
  risk_level: RiskLevel,
  address: t.String({ description: "Resource address; empty for a finding about the whole plan" }),
  resource_type: t.String(),
  actions: Actions,
  paths: t.Array(Path, { description: "Attributes that triggered the rule" }),
  replace_paths: t.Optional(t.Array(Path)),
  message: t.String({ description: "Names the relevant values, but never masked ones" }),
  ...RuleEffects,
});
export type Finding = Static<typeof Finding>;

/** A finding that a rule of the organization hides. */
export const HiddenFinding = t.Object({ ...Finding.properties, hidden_by: RuleName });
export type HiddenFinding = Static<typeof HiddenFinding>;

/** One attribute that differs. An absent side is null. Secrets are masked. */
export const AttributeChange = t.Object({
  path: Path,
  before: t.Unknown(),
  after: t.Unknown(),
  before_sensitive: t.Boolean(),
  after_sensitive: t.Boolean(),
  unknown: t.Boolean({ description: "Whether the value is only known after apply" }),
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
  errorMessage: "must be pn1_ followed by 26 characters from a-z and 2-7",
});

/** Noise of one kind in a plan, across all its resources. */
export const NoiseGroup = t.Object({
  fingerprint: NoiseFingerprint,
  class: NoiseClass,
  title: t.String(),
  resource_type: t.String(),
  provider_name: t.String(),
  path_pattern: t.String({ description: "Attribute path joined by dots, with * for indices and map keys" }),
  keys: t.Optional(t.Array(t.String(), { description: "For tags: the keys that differ" })),
  confidence: t.Number({ minimum: 0, maximum: 1 }),
  hidden: t.Boolean({ description: "Whether it is hidden from the findings" }),
  muted: t.Optional(
    t.Boolean({ description: "Whether it is muted. Comments and narratives omit muted noise" }),
  ),
  hidden_by: t.Optional(RuleName),
  labels: RuleEffects.labels,
  addresses: t.Array(t.String()),
  count: t.Integer({ minimum: 0, description: "Number of addresses" }),
  fix_available: t.Boolean(),
  sample: t.Object(
    {
      before: t.Unknown(),
      after: t.Unknown(),
      outside: t.Optional(
        t.Boolean({
          description:
            "Whether the value was changed outside Terraform. If so, `after` is the cloud's value, otherwise `before` is",
        }),
      ),
      varies: t.Optional(t.Boolean({ description: "Whether the values differ between resources" })),
    },
    { description: "Masked, and truncated if long" },
  ),
});
export type NoiseGroup = Static<typeof NoiseGroup>;

/** A rule's finding on a change. */
export const RiskFlag = t.Object({
  rule: t.String(),
  flag: t.String(),
  evidence: t.Array(Path, { description: "Attributes that triggered the rule" }),
  message: t.Optional(
    t.String({ description: "Same as a finding's message. Absent if no attribute is known" }),
  ),
});
export type RiskFlag = Static<typeof RiskFlag>;

/** A resource that was changed or deleted outside of the plan's tool. */
export const PlannedDrift = t.Object({
  kind: words(["changed", "missing"]),
  address: t.String(),
  module_address: t.Optional(t.String()),
  resource_type: t.String(),
  provider_name: t.String(),
  actions: Actions,
  attribute_changes: t.Array(AttributeChange),
  relevant: t.Boolean({ description: "Whether the plan contains changes because of this drift" }),
  risk_level: RiskLevel,
  restored: t.Optional(
    t.Boolean({
      description: "Whether the plan reverts it. If so, the level is medium at most, unless data is lost",
    }),
  ),
  risk_flags: t.Array(RiskFlag),
  noise: t.Optional(
    t.Object(
      { fingerprint: NoiseFingerprint, class: NoiseClass, confidence: t.Number() },
      { description: "Set if the whole change is noise" },
    ),
  ),
  fingerprint: t.String({ description: "Hash of resource, kind and paths, without values" }),
});
export type PlannedDrift = Static<typeof PlannedDrift>;

/** Number of resources by the plan's action. */
export const PlanSummary = t.Object({
  create: Count,
  update: Count,
  replace: Count,
  delete: Count,
  import: Count,
  forget: Count,
  move: t.Optional(t.Integer({ minimum: 0, description: "Moved to another address. Absent if none were" })),
  read: Count,
  no_op: Count,
});
export type PlanSummary = Static<typeof PlanSummary>;

/**
 * Result of the rules for a plan. Findings and drift come worst first; ties are ordered by rule and address (drift:
 * by address).
 */
export const Analysis = t.Object({
  warnings: t.Array(t.String()),
  errored: t.Optional(t.Boolean({ description: "Whether the plan failed. If so, the result is incomplete" })),
  risk_profile: t.Optional(
    t.Unsafe<RiskProfile>({
      ...RiskProfile,
      description: "Risk profile that set the levels. Absent in older results",
    }),
  ),
  risk_level: t.Unsafe<RiskLevel>({
    ...RiskLevel,
    description: "Highest level of the plan's changes. Drift has its own level",
  }),
  risk_counts: RiskCounts,
  summary: PlanSummary,
  findings: t.Array(Finding),
  hidden_findings: t.Optional(
    t.Array(HiddenFinding, {
      description:
        "Findings that rules of the organization hide. They aren't in the risk. Absent without any",
    }),
  ),
  drift: t.Array(PlannedDrift),
  noise: t.Array(NoiseGroup),
});
export type Analysis = Static<typeof Analysis>;

/** A model's explanations, by finding. Each text is plain, with code in backticks. */
export const NarrativeAnswer = t.Object({
  summary: t.Optional(t.String()),
  findings: t.Array(
    t.Object({
      id: t.String({ description: "Id of a finding, or fingerprint of drift or noise, in this result" }),
      explanation: t.String(),
      check: t.Optional(t.String({ description: "What to check before applying" })),
    }),
  ),
});
export type NarrativeAnswer = Static<typeof NarrativeAnswer>;

/** Explanation of a plan in words. */
export const Narrative = t.Object({
  text: t.String({ description: "Markdown" }),
  source: words(["platform", "byok", "template"]),
  model: t.Optional(t.String()),
  note: t.Optional(t.String({ description: "Why the text isn't from a model" })),
  answer: t.Optional(NarrativeAnswer),
});
export type Narrative = Static<typeof Narrative>;

export const FailOn = words(["critical", "high", "medium", "low", "never"]);
export type FailOn = Static<typeof FailOn>;

/** Result of posting a comment. */
export const CommentOutcome = t.Object({
  posted: t.Boolean(),
  url: t.Optional(t.String()),
  error: t.Optional(t.String()),
});

export type CommentOutcome = Static<typeof CommentOutcome>;

/** Result of an `analyze` job. */
export const AnalyzeResult = t.Object({
  ...Analysis.properties,
  narrative: Narrative,
  gate: t.Object({ fail_on: FailOn, passed: t.Boolean() }),
  comment: t.Optional(CommentOutcome),
  promise: t.Optional(
    t.Object(PlanPromise.properties, {
      description: "Set for a plan of a branch with settlements of drift, unless the plan failed",
    }),
  ),
  report_url: t.String({ description: "Dashboard page of the result" }),
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

/** Result of a `plan_noise_fix` job. */
export const FixResult = t.Object({
  strategy: FixStrategy,
  explanation: t.String(),
  patches: t.Array(t.Object({ path: t.String(), diff: t.String({ description: "Unified" }) })),
  hcl: t.String({ description: "The corrected block, or an example if no source was given" }),
  risks: t.Array(t.String()),
  verified: t.Object({
    parsed: t.Boolean(),
    formatted: t.Boolean(),
    replan: words(["not_run", "clean", "still_noisy"]),
  }),
  narrative: t.Optional(Narrative),
  change_request_url: t.Optional(
    t.String({
      description: "Address of the merge or pull request with the fix, with `open_change_request`",
    }),
  ),
  change_request: t.Optional(ChangeRequest),
});
export type FixResult = Static<typeof FixResult>;
