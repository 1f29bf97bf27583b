import { GetResource, ListResources } from "@leeway/shared/contracts/inventory/resources";
import { Type as t } from "@sinclair/typebox";

import type { Endpoint } from "../http/endpoint.ts";
import { ListQuery } from "../http/parameters.ts";
import { relay } from "../http/relay.ts";
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
  description: "What runs in the organization's clouds, and what of it is declared.",
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

export const resources: readonly Endpoint[] = [list, get];
