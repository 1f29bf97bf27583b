import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { page, PageInput } from "../common.ts";

/** Reasons why an attribute isn't compared. */
export const GAP_REASONS = ["no_counterpart", "no_schema", "provider_only", "secret", "excluded"] as const;
export type GapReason = (typeof GAP_REASONS)[number];

const Settable = t.Integer({
  description:
    "Attributes that the Terraform provider accepts, including those in blocks, without names and places",
});
const Compared = t.Integer({ description: "Settable attributes that are compared with the cloud" });

/** Attributes of a type that are compared with the cloud, and the others with the reason. */
export const Comparison = t.Object({
  settable: Settable,
  compared: Compared,
  not_compared: t.Array(
    t.Object({
      attribute: t.String({ description: "Path of the attribute, or of a block in which none is compared" }),
      count: t.Optional(t.Integer({ description: "Number of attributes in the block" })),
      reason: words(GAP_REASONS),
      note: t.Optional(t.String({ description: "Why it is `excluded`" })),
    }),
  ),
});
export type Comparison = Static<typeof Comparison>;

/** A type that an organization declares or has live. */
export const ResourceType = t.Object({
  type: t.String({
    description:
      "Type in the state, or Terraform's type of undeclared resources. The cloud's own type if Terraform has none",
  }),
  provider: t.String(),
  declared_count: t.Integer({ description: "Resources of the type that states declare" }),
  live_count: t.Integer({ description: "Live resources of the type that no exclusion rule matches" }),
  undeclared_count: t.Integer({ description: "Live resources of the type that aren't declared" }),
  settable_count: t.Optional(
    t.Integer({ ...Settable, description: `${Settable.description}. Absent if no schema is known` }),
  ),
  compared_count: t.Optional(Compared),
  compared_pct: t.Optional(
    t.Number({ description: "Share of settable attributes that are compared, in percent, rounded down" }),
  ),
});
export type ResourceType = Static<typeof ResourceType>;

export const ListTypes = defineRequest("inventory.types.list", {
  fromReplica: true,
  input: t.Object(PageInput),
  output: page(ResourceType),
  timeoutMs: 10_000,
});
