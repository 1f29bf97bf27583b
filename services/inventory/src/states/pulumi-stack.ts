import { isObject, text, type Json, type JsonObject } from "@leeway/shared/json";

import type { DeclaredResource } from "../clouds/cloud.ts";
import { withoutSecrets } from "./pulumi-values.ts";
import type { StateFormat } from "./state-format.ts";

/** What `pulumi stack export` prints, and the checkpoint that a backend of one's own keeps. */
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
 * Components group others, external resources are only read, one to be deleted waits to be gone, and one that is to be
 * replaced is gone already.
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
