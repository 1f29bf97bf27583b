import { hclString } from "@leeway/shared/values/hcl-string";
import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { DeclaredResource } from "../cloud.ts";
import { markedPaths } from "./sensitive.ts";
import type { StateFormat } from "./state-format.ts";

/** State file of Terraform and OpenTofu, version 4. */
export const terraformState: StateFormat = {
  name: "Terraform state",
  kind: "terraform",
  lists: [{ path: ["resources"], read: readResource }],
  matches: (document) => document["version"] === 4 && ("serial" in document || "resources" in document),
  flaw: ({ serial }) =>
    serial === undefined || isSerial(serial) ? undefined : "`serial` must be a whole number",
  edition: (document) => {
    const { serial } = document;
    const lineage = text(document, "lineage")?.replaceAll("\0", "\uFFFD"); // PostgreSQL can't store NUL
    return { ...(isSerial(serial) && { serial }), ...(lineage && { lineage }) };
  },
};

function isSerial(serial: Json | undefined): serial is number {
  return Number.isSafeInteger(serial) && Number(serial) >= 0;
}

function readResource(row: Json): DeclaredResource[] {
  if (!isObject(row) || row["mode"] !== "managed") return [];
  const type = text(row, "type");
  const name = text(row, "name");
  if (type === undefined || name === undefined) return [];
  const module = text(row, "module");
  const base = module === undefined ? `${type}.${name}` : `${module}.${type}.${name}`;
  const provider = text(row, "provider");
  return members(row, "instances").map((instance) => {
    const identity = member(instance, "identity");
    const sensitive = markedPaths(instance["sensitive_attributes"]);
    const providerName = provider && sourceOf(provider);
    return {
      address: `${base}${indexOf(instance)}${deposedOf(instance)}`,
      ...(module && { module_address: module }),
      type,
      ...(providerName && { provider_name: providerName }),
      ...(provider && { provider_config: provider }),
      attributes: member(instance, "attributes") ?? member(instance, "attributes_flat") ?? {},
      ...(identity && { identity }),
      ...(sensitive.length > 0 && { sensitive }),
    };
  });
}

/** Returns the index: `[0]` for `count`, `["key"]` for `for_each`. */
function indexOf(instance: JsonObject): string {
  const key = instance["index_key"];
  if (typeof key === "string") return `[${hclString(key)}]`;
  return typeof key === "number" ? `[${key}]` : "";
}

/** Marks an object that a replacement left behind: it still exists, beside its successor. */
function deposedOf(instance: JsonObject): string {
  const key = text(instance, "deposed");
  return key === undefined ? "" : ` (deposed ${key})`;
}

/** Returns the source address in `provider["registry.terraform.io/hashicorp/aws"].west`. */
function sourceOf(provider: string): string | undefined {
  return /provider\["([^"]+)"\]/.exec(provider)?.[1];
}
