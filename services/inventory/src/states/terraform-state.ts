import { hclString } from "@leeway/shared/hcl-string";
import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/json";

import type { DeclaredResource } from "../clouds/cloud.ts";
import { markedPaths } from "./sensitive.ts";
import type { StateFormat } from "./state-format.ts";

/** Terraform's and OpenTofu's state file, version 4. */
export const terraformState: StateFormat = {
  name: "Terraform state",
  kind: "terraform",
  lists: [{ path: ["resources"], read: readResource }],
  matches: (document) => document["version"] === 4 && ("serial" in document || "resources" in document),
  flaw: ({ serial }) =>
    serial === undefined || isSerial(serial) ? undefined : "`serial` is no whole number",
  edition: (document) => {
    const { serial } = document;
    const lineage = text(document, "lineage")?.replaceAll("\0", "\uFFFD"); // PostgreSQL stores no NUL
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

/** `[0]` for count, `["key"]` for for_each. */
function indexOf(instance: JsonObject): string {
  const key = instance["index_key"];
  if (typeof key === "string") return `[${hclString(key)}]`;
  return typeof key === "number" ? `[${key}]` : "";
}

/** An object that a replacement has left behind still exists, beside its successor. */
function deposedOf(instance: JsonObject): string {
  const key = text(instance, "deposed");
  return key === undefined ? "" : ` (deposed ${key})`;
}

/** The source address within `provider["registry.terraform.io/hashicorp/aws"].west`. */
function sourceOf(provider: string): string | undefined {
  return /provider\["([^"]+)"\]/.exec(provider)?.[1];
}
