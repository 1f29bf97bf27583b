import { Type as t, type Static } from "@sinclair/typebox";

import type { RISK_LEVELS } from "../analyzer/risk-levels.ts";
import { Actor, nameUpTo, NewId, page, Reason, Timestamp, Uuid } from "../common.ts";
import { defineRequest, words } from "../contract.ts";
import { DriftChange } from "./drift.ts";

/** Subjects that a rule can be about: kinds of drift changes, and findings and noise of plans. */
export const RULE_SUBJECTS = ["undeclared", "changed", "missing", "finding", "noise"] as const;
export type RuleSubject = (typeof RULE_SUBJECTS)[number];

/** Levels to which a rule can raise a change. `none` would raise nothing. */
const RAISED_LEVELS = ["critical", "high", "medium", "low"] as const satisfies (typeof RISK_LEVELS)[number][];

/** Most rules of an organization. */
export const MAX_RULES = 200;
/** Most changes that a preview shows. */
export const MAX_SAMPLES = 20;
/** Largest length of an expression. */
export const MAX_EXPRESSION = 2_000;

const On = t.Array(words(RULE_SUBJECTS), {
  minItems: 1,
  maxItems: RULE_SUBJECTS.length,
  uniqueItems: true,
  description: "Kinds of drift changes, and `finding` and `noise` of plans",
});
const When = t.String({
  minLength: 1,
  maxLength: MAX_EXPRESSION,
  description: "Condition in CEL over `change`, `resource`, `declared`, `actor` and `paths`",
  examples: ['resource.tags["env"] == "dev"'],
});
const Label = t.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,62}$",
  errorMessage: "must be 1 to 63 characters: letters, digits and _ . : / -",
  examples: ["team:payments"],
});
const Then = t.Union(
  [
    t.Object({ ignore: t.Literal(true) }),
    t.Object({ raise_to: words(RAISED_LEVELS) }),
    t.Object({ label: Label }),
  ],
  {
    description: "Effect: hide the change, raise its level to at least this one, or label it",
    errorMessage: "must be one of {ignore: true}, {raise_to: LEVEL} and {label: TEXT}",
  },
);
export type RuleEffect = Static<typeof Then>;
// oxlint-disable-next-line unicorn/no-thenable -- the API's name; an object can't be called
const Effect = { then: Then };
const Owner = nameUpTo(200);
const ExpiresAt = t.Unsafe<string>({ ...Timestamp, description: "Time at which the rule ends" });

/** The members of a rule that users define. */
export const RuleContent = t.Object({
  name: nameUpTo(80),
  on: On,
  when: When,
  ...Effect,
  reason: Reason,
  owner: t.Optional(Owner),
  expires_at: t.Optional(ExpiresAt),
  enabled: t.Optional(t.Boolean({ default: true })),
});
export type RuleContent = Static<typeof RuleContent>;

const Count = t.Integer({ minimum: 0 });

/** A rule of an organization, or an exclusion rule that is part of Leeway. */
export const Rule = t.Object({
  id: t.String({ description: "UUID, or the id of an exclusion rule" }),
  name: t.String(),
  on: On,
  when: t.Optional(t.Unsafe<string>({ ...When, description: "Absent in built-in rules" })),
  ...Effect,
  reason: Reason,
  owner: t.Optional(Owner),
  expires_at: t.Optional(ExpiresAt),
  enabled: t.Boolean(),
  built_in: t.Boolean({
    description: "Whether it is an exclusion rule of Leeway, of which only `enabled` can be changed",
  }),
  matched_count: t.Integer({
    description:
      "Current drift changes on which the rule has an effect. For built-in rules, excluded resources",
  }),
  hidden_count: t.Integer({ description: "Current drift changes that the rule hides" }),
  created_by: t.Optional(Actor),
  created_at: t.Optional(Timestamp),
  updated_at: t.Optional(Timestamp),
});
export type Rule = Static<typeof Rule>;

export const RuleChanges = t.Composite([
  t.Partial(t.Omit(RuleContent, ["owner", "expires_at"])),
  t.Object({
    owner: t.Optional(t.Union([Owner, t.Null()])),
    expires_at: t.Optional(t.Union([ExpiresAt, t.Null()], { description: "null: the rule doesn't end" })),
  }),
]);
export type RuleChanges = Static<typeof RuleChanges>;

const RuleId = t.String({ minLength: 1, maxLength: 100 });

/** Lists the organization's rules in the order in which they apply, then the built-in ones. */
export const ListRules = defineRequest("inventory.rules.list", {
  input: t.Object({ org_id: Uuid }),
  output: page(Rule),
});

/** @throws {AppError} `invalid_parameter` for a wrong expression; `conflict` for a name in use or too many rules */
export const CreateRule = defineRequest("inventory.rules.create", {
  input: t.Composite([t.Object({ org_id: Uuid, rule_id: NewId, created_by: Actor }), RuleContent]),
  output: Rule,
});

/** @throws {AppError} as for creation; `not_found`, `empty_update`; `forbidden` for other fields of a built-in rule */
export const UpdateRule = defineRequest("inventory.rules.update", {
  input: t.Composite([t.Object({ org_id: Uuid, rule_id: RuleId }), RuleChanges]),
  output: Rule,
  timeoutMs: 120_000,
});

/** @throws {AppError} `not_found`; `forbidden` for a built-in rule */
export const DeleteRule = defineRequest("inventory.rules.delete", {
  input: t.Object({ org_id: Uuid, rule_id: RuleId }),
  output: t.Object({}),
});

/** A rule that has an effect now. */
export const ActiveRule = t.Object({ id: t.String(), name: t.String(), on: On, when: When, effect: Then });
export type ActiveRule = Static<typeof ActiveRule>;

/** Returns the organization's enabled rules whose time isn't over, in the order in which they apply. */
export const ListActiveRules = defineRequest("inventory.rules.active", {
  callers: ["analyzer"],
  input: t.Object({ org_id: Uuid }),
  output: t.Object({ rules: t.Array(ActiveRule) }),
});

/** Effect of an unsaved rule on the current drift changes. */
export const RulePreview = t.Object({
  matched_count: t.Integer({ description: "Changes that the condition matches" }),
  hidden_count: t.Integer({ description: "Matched changes that the rule would hide" }),
  raised_count: t.Integer({ description: "Matched changes whose level the rule would raise" }),
  failed_count: t.Integer({
    description: "Changes for which the condition fails, for example for a missing tag. They don't match",
  }),
  evaluated_count: t.Integer({ description: "Current changes of the kinds in `on`, without noise" }),
  counts: t.Record(t.String(), Count, { description: "Matched changes by kind" }),
  failure: t.Optional(t.String({ description: "The first failure of the condition" })),
  samples: t.Array(DriftChange, { description: `At most ${MAX_SAMPLES} matched changes, worst first` }),
});
export type RulePreview = Static<typeof RulePreview>;

/** @throws {AppError} `invalid_parameter` for a wrong expression */
export const PreviewRule = defineRequest("inventory.rules.preview", {
  input: t.Object({ org_id: Uuid, on: On, when: When, ...Effect }),
  output: RulePreview,
  timeoutMs: 30_000,
});
