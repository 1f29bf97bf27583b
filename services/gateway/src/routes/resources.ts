import { CreateAdoption } from "@leeway/shared/contracts/inventory/adoptions";
import {
  EnrichResource,
  GetResource,
  GroupResources,
  ListResources,
} from "@leeway/shared/contracts/inventory/resources";
import { ListTypes } from "@leeway/shared/contracts/inventory/types";
import { Type as t } from "@sinclair/typebox";

import type { Endpoint } from "../http/endpoint.ts";
import { ListQuery } from "../http/parameters.ts";
import { relay } from "../http/relay.ts";
import { ADOPTION } from "../examples/adoption.ts";
import { ENRICHED_RESOURCE, RESOURCE_TYPE } from "../examples/clouds.ts";
import { LIVE_RESOURCE, LIVE_RESOURCE_DETAIL, pageOf } from "../examples/common.ts";

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
    "Lists live resources with their matches. When a search covers very many resources, a page can have fewer rows than requested, or none, although more pages follow.",
  who: "viewer",
  query: {
    ...ListQuery,
    ...filters,
    include: t.Optional(
      t.Literal("total_count", {
        description: "`total_count` adds the total number, which takes longer",
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

const group = relay(GroupResources, {
  method: "GET",
  path: "/api/v2/orgs/:id/resource-groups",
  operationId: "groupResources",
  tag: TAG,
  summary: "Count resources by a value",
  description:
    "Counts the resources that `GET /resources` lists with the same filters by account, category, type, region, module, match or properties. Always one page.",
  who: "viewer",
  success: {
    status: 200,
    description: "The groups",
    schema: GroupResources.output,
    example: pageOf({ key: "eu-west-1", count: 12 }),
  },
});

const get = relay(GetResource, {
  method: "GET",
  path: `${COLLECTION}/:resource_id`,
  operationId: "getResource",
  tag: TAG,
  summary: "Get a live resource",
  description:
    "Finds a resource by Leeway's id or the percent-encoded provider id. Returns its redacted properties, the keys used to find its declaration, and which of its attributes are compared.",
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
    "Fetches the resource's properties from its cloud and stores them redacted; `redactions` are JSON pointers to the removed values. A resource that is `enriched` or `n/a` is returned as it is. If the cloud refuses this resource, the response is 422 with the reason and the resource is marked `failed`. Other failures are 500 and mark nothing.",
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

const { org_id: _adopting, ...adoption } = CreateAdoption.input.properties;

const adopt = relay(CreateAdoption, {
  method: "POST",
  path: "/api/v2/orgs/:id/adoptions",
  operationId: "createAdoption",
  tag: TAG,
  summary: "Adopt resources",
  description:
    "Turns undeclared resources into code: `import` blocks, and resource blocks with the arguments that differ from the provider's defaults. Give `resource_ids`, or a `filter` that selects at most 500 undeclared resources. Ids of resources in the same answer, and in the code of `source_id`, become references. Secrets become variables. Nothing is stored.",
  who: "member",
  body: t.Object(adoption, { additionalProperties: false }),
  bodyExample: { resource_ids: [LIVE_RESOURCE.id] },
  success: { status: 200, description: "The code", schema: CreateAdoption.output, example: ADOPTION },
});

const listTypes = relay(ListTypes, {
  method: "GET",
  path: "/api/v2/orgs/:id/types",
  operationId: "listTypes",
  tag: TAG,
  summary: "List resource types",
  description:
    "Lists the types that the organization declares or has live, by name, with the number of attributes that are compared with the cloud.",
  who: "viewer",
  success: {
    status: 200,
    description: "The types",
    schema: ListTypes.output,
    example: pageOf(RESOURCE_TYPE),
  },
  errors: ["invalid_cursor"],
});

export const resources: readonly Endpoint[] = [list, group, get, enrich, adopt, listTypes];
