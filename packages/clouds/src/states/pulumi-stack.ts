import { isObject, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { DeclaredResource } from "../cloud.ts";
import { withoutSecrets } from "./pulumi-values.ts";
import type { StateFormat } from "./state-format.ts";

/** Output of `pulumi stack export`, and checkpoints of self-managed backends. */
export const pulumiStack: StateFormat = {
  name: "Pulumi stack export",
  kind: "pulumi",
  lists: [
    { path: ["deployment", "resources"], read: readResource },
    { path: ["checkpoint", "latest", "resources"], read: readResource },
  ],
  matches: (document) =>
    document["version"] === 3 && (isObject(document["deployment"]) || isObject(document["checkpoint"])),
};

/**
 * Returns a managed resource, or none. Components only group resources, and external resources are only read. Resources
 * marked for deletion are about to disappear, and those marked for replacement are already gone.
 */
function readResource(row: Json): DeclaredResource[] {
  if (!isObject(row) || row["custom"] !== true) return [];
  if (["external", "delete", "pendingReplacement"].some((flag) => row[flag] === true)) return [];
  const urn = text(row, "urn");
  const type = text(row, "type");
  if (urn === undefined || type === undefined || type.startsWith("pulumi:")) return [];
  const provider = text(row, "provider");
  return [
    {
      address: urn,
      type,
      ...(provider && { provider_config: provider }),
      ...(isObject(row["inputs"]) && { configured: Object.keys(row["inputs"]) }),
      ...outputsOf(row),
    },
  ];
}

function outputsOf(row: JsonObject): Pick<DeclaredResource, "attributes" | "sensitive"> {
  const id = text(row, "id");
  const { value, hidden } = withoutSecrets(row["outputs"] ?? null);
  return {
    attributes: { ...(isObject(value) && value), ...(id && { id }) },
    ...(hidden.length > 0 && { sensitive: hidden }),
  };
}
