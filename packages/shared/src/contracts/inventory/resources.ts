import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { page, PageInput, Timestamp, Uuid } from "../common.ts";
import { NORMALIZED_TYPES } from "./normalized-types.ts";
import { severalIds, severalTexts, severalWords } from "../several.ts";
import { Tag } from "./tag.ts";
import { Comparison } from "./types.ts";

export const ENRICHMENT_STATUSES = ["none", "enriched", "failed", "n/a"] as const;
export const MATCH_STATUSES = ["matched", "undeclared", "excluded", "unchecked"] as const;

const KEY_LEVELS = ["identity", "id", "type_id", "name", "owner"] as const;

/** Match status of a live resource, with its reason. */
const Match = t.Object({
  status: words(MATCH_STATUSES),
  level: t.Optional(words(KEY_LEVELS)),
  confidence: t.Optional(t.Number()),
  conflict: t.Optional(
    t.Boolean({
      description: "Whether it is declared more than once, in several sources or at several addresses",
    }),
  ),
});

export const LiveResource = t.Object({
  id: Uuid,
  cloud_account_id: Uuid,
  provider: t.String(),
  provider_resource_id: t.String(),
  provider_type: t.String(),
  normalized_type: words(NORMALIZED_TYPES),
  region: t.Optional(t.String()),
  name: t.Optional(t.String()),
  iac_resource_id: t.Optional(Uuid),
  enrichment_status: words(ENRICHMENT_STATUSES),
  enriched_at: t.Optional(Timestamp),
  match: Match,
  excluded_by: t.Optional(
    t.String({ description: "Id of the exclusion rule that excludes it from the counts" }),
  ),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
});
export type LiveResource = Static<typeof LiveResource>;

/** A key that was tried, with its outcome. */
const TriedKey = t.Object({
  key: t.String(),
  level: words(KEY_LEVELS),
  outcome: words(["matched", "no_declaration", "ambiguous", "other_scope", "surer_key_used", "taken"]),
  explanation: t.String(),
});

export const LiveResourceDetail = t.Composite([
  t.Omit(LiveResource, ["match"]),
  t.Object({
    match: t.Composite([
      Match,
      t.Object({
        key: t.Optional(t.String({ description: "Key that matched" })),
        owner_id: t.Optional(
          t.String({
            ...Uuid,
            description: "The declared live resource that created it, if `level` is `owner`",
          }),
        ),
        tried: t.Array(TriedKey),
        claimed_by: t.Array(Uuid),
      }),
    ]),
    properties: t.Optional(t.Unknown({ description: "Properties from the cloud, redacted" })),
    redactions: t.Optional(t.Array(t.String(), { description: "JSON pointers to redacted values" })),
    enrichment_failure_reason: t.Optional(t.String()),
    tags: t.Optional(t.Record(t.String(), t.String())),
    comparison: t.Optional(
      t.Unsafe<Comparison>({
        ...Comparison,
        description: "Attributes that are compared. Only declared resources of a known type have it",
      }),
    ),
  }),
]);
export type LiveResourceDetail = Static<typeof LiveResourceDetail>;

/** A live resource with the details that were fetched. */
const EnrichmentResult = t.Composite([
  LiveResource,
  t.Pick(LiveResourceDetail, ["properties", "redactions", "enrichment_failure_reason"]),
]);

/** Filters of live resources. */
export const ResourceFilter = {
  account_id: t.Optional(severalIds("Cloud account")),
  normalized_type: t.Optional(severalWords(NORMALIZED_TYPES, "Category, the same in all clouds")),
  provider_type: t.Optional(severalTexts(300, "Type as the cloud names it")),
  region: t.Optional(severalTexts(100, "Region")),
  tag: t.Optional(Tag),
  module_address: t.Optional(severalTexts(2_000, "Address of the module that declares the resource")),
  match: t.Optional(severalWords(MATCH_STATUSES, "Whether it is declared")),
  excluded: t.Optional(
    t.Unsafe<"exclude" | "include">({
      ...words(["exclude", "include"]),
      description: "How to treat resources that an exclusion rule matches. Default: `include`",
    }),
  ),
  enrichment_status: t.Optional(severalWords(ENRICHMENT_STATUSES, "Whether its properties were fetched")),
  q: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Part of the name, of the provider's id, of a tag (`team=data`) or of the declared address. Case doesn't matter",
    }),
  ),
  seen_since: t.Optional(Timestamp),
  first_seen_since: t.Optional(Timestamp),
};

export const ListResources = defineRequest("inventory.resources.list", {
  fromReplica: true,
  input: t.Object({
    ...PageInput,
    ...ResourceFilter,
    total: t.Optional(t.Boolean()),
  }),
  output: t.Composite([
    page(LiveResource),
    t.Object({
      total_count: t.Optional(t.Integer({ description: "Absent if counting would take too long" })),
    }),
  ]),
});
/** Ways to group resources. */
export const RESOURCE_GROUPINGS = [
  "account",
  "category",
  "type",
  "region",
  "module",
  "match",
  "properties",
] as const;

/** Counts live resources by a value, the most frequent first. At most 200 groups. */
export const GroupResources = defineRequest("inventory.resources.group", {
  fromReplica: true,
  input: t.Object({
    org_id: Uuid,
    by: t.Optional(
      t.Unsafe<(typeof RESOURCE_GROUPINGS)[number]>({
        ...words(RESOURCE_GROUPINGS),
        description: "Value to count by. Default: `type`",
      }),
    ),
    ...ResourceFilter,
  }),
  output: t.Composite([
    page(
      t.Object({
        key: t.Optional(
          t.String({
            description: "Value of the filter that lists the group. Absent for resources without a value",
          }),
        ),
        count: t.Integer(),
      }),
    ),
    t.Object({
      is_partial: t.Optional(
        t.Boolean({ description: "Whether there are too many resources to count all of them" }),
      ),
    }),
  ]),
});
export const GetResource = defineRequest("inventory.resources.get", {
  input: t.Object({
    org_id: Uuid,
    resource_id: t.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Leeway's id or the provider's id",
    }),
  }),
  output: LiveResourceDetail,
});
export const EnrichResource = defineRequest("inventory.resources.enrich", {
  input: GetResource.input,
  output: EnrichmentResult,
  timeoutMs: 30_000,
});
