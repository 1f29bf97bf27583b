import { Type as t, type Static } from "@sinclair/typebox";

import { defineRequest, words } from "../contract.ts";
import { Uuid } from "../common.ts";
import { ResourceFilter } from "./resources.ts";

/** Max number of resources in one adoption. */
export const MAX_ADOPTED = 500;

export const ADOPTION_STATUSES = ["complete", "partial", "refused"] as const;
export const ADOPTION_TOOLS = ["terraform", "opentofu"] as const;
export type AdoptionTool = (typeof ADOPTION_TOOLS)[number];

const AdoptedResource = t.Object({
  resource_id: t.String({ description: "The live resource: Leeway's id, in the CLI the provider's" }),
  address: t.Optional(t.String({ description: "Address of the new resource block; absent if refused" })),
  import_id: t.Optional(t.String({ description: "Id in its `import` block; absent if refused" })),
  status: words(ADOPTION_STATUSES),
  reason: t.Optional(t.String({ description: "Why it was refused, or why it is only partial" })),
  omitted: t.Array(
    t.Object({
      attribute: t.String({ description: "Path of the argument" }),
      reason: t.String({ description: "Why it isn't written, or is a variable" }),
    }),
  ),
  references: t.Array(
    t.Object({
      attribute: t.String({ description: "Path of the argument" }),
      address: t.String({ description: "Address of the resource that it refers to" }),
    }),
  ),
});
export type AdoptedResource = Static<typeof AdoptedResource>;

export const Adoption = t.Object({
  files: t.Array(
    t.Object({
      path: t.String({
        description: "Relative path; one folder for each account and region if there are several",
      }),
      content: t.String({ description: "Code as `terraform fmt` writes it" }),
    }),
  ),
  resources: t.Array(AdoptedResource),
  counts: t.Object({
    complete: t.Integer(),
    partial: t.Integer(),
    refused: t.Integer(),
  }),
});
export type Adoption = Static<typeof Adoption>;

/** Filters of the list of resources, except that by match: only undeclared resources are adopted. */
const { match: _match, excluded: _excluded, ...AdoptionFilter } = ResourceFilter;

export const CreateAdoption = defineRequest("inventory.adoptions.create", {
  input: t.Object({
    org_id: Uuid,
    resource_ids: t.Optional(t.Array(Uuid, { minItems: 1, maxItems: MAX_ADOPTED, uniqueItems: true })),
    filter: t.Optional(t.Object(AdoptionFilter)),
    source_id: t.Optional(Uuid),
    tool: t.Optional(
      t.Unsafe<AdoptionTool>({
        ...words(ADOPTION_TOOLS),
        default: "terraform",
        description: "Tool whose version and command the comment at the top of each file names",
      }),
    ),
  }),
  output: Adoption,
  callers: ["gateway", "analyzer"],
  timeoutMs: 20_000,
});
