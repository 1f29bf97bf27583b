import { EnrichResource, GetResource, ListResources } from "@leeway/shared/contracts/inventory/resources";
import { Type as t } from "@sinclair/typebox";

import type { Endpoint } from "../http/endpoint.ts";
import { ListQuery } from "../http/parameters.ts";
import { relay } from "../http/relay.ts";
import { ENRICHED_RESOURCE } from "../openapi/cloud-examples.ts";
import { LIVE_RESOURCE, LIVE_RESOURCE_DETAIL, pageOf } from "../openapi/examples.ts";

const TAG = "Resources";
const COLLECTION = "/api/v2/orgs/:id/resources";

const {
  org_id: _org,
  limit: _limit,
  cursor: _cursor,
  total: _total,
  ...filters
} = ListResources.input.properties;

const list = relay(ListResources, {
  method: "GET",
  path: COLLECTION,
  operationId: "listResources",
  tag: TAG,
  summary: "List live resources",
  description:
    "What runs in the organization's clouds, and what of it is declared. A page of a search among very many can have fewer rows than asked for, or none, and more behind it.",
  who: "viewer",
  query: {
    ...ListQuery,
    ...filters,
    include: t.Optional(
      t.Literal("total_count", {
        description: "`total_count` adds how many there are in all, which takes longer",
        errorMessage: "must be total_count",
      }),
    ),
  },
  success: {
    status: 200,
    description: "The resources",
    schema: ListResources.output,
    example: pageOf(LIVE_RESOURCE),
  },
  errors: ["invalid_cursor"],
  derive: ({ query }) => ("include" in query ? { total: true } : {}),
});

const get = relay(GetResource, {
  method: "GET",
  path: `${COLLECTION}/:resource_id`,
  operationId: "getResource",
  tag: TAG,
  summary: "Get a live resource",
  description:
    "By our id, or by the provider's, percent-encoded. With its redacted properties, and the keys that a declaration was looked for by.",
  who: "viewer",
  success: {
    status: 200,
    description: "The resource",
    schema: GetResource.output,
    example: LIVE_RESOURCE_DETAIL,
  },
  errors: ["ambiguous_resource"],
});

const enrich = relay(EnrichResource, {
  method: "POST",
  path: `${COLLECTION}/:resource_id/enrich`,
  operationId: "enrichResource",
  tag: TAG,
  summary: "Enrich a live resource",
  description:
    "Fetches its properties from its cloud now, and keeps them, redacted: `redactions` are JSON pointers to what was taken away. What is enriched, or was listed with all its properties (`n/a`), is answered as it is. What the cloud refuses for this resource is 422 with the reason, and marks it `failed`; what has other causes is 500 and marks nothing.",
  who: "admin",
  limit: ({ enrichLimit }) => enrichLimit,
  success: {
    status: 200,
    description: "The resource",
    schema: EnrichResource.output,
    example: ENRICHED_RESOURCE,
  },
  errors: ["ambiguous_resource", "enrichment_failed", "registry_not_configured"],
});

export const resources: readonly Endpoint[] = [list, get, enrich];
