import { isObject, member, members, text, type Json, type JsonObject } from "@leeway/shared/values/json";

import type { DeclaredResource } from "../cloud.ts";
import { shapedPaths } from "./sensitive.ts";
import type { StateFormat } from "./state-format.ts";

/** Output of `terraform show -json` for a state, which has no serial and no lineage. */
export const terraformShow: StateFormat = {
  name: "terraform show -json of a state",
  kind: "terraform",
  lists: [
    { path: ["values", "root_module", "resources"], read: readResource },
    { path: ["values", "root_module", "child_modules"], read: readModule },
  ],
  matches: (document) =>
    typeof document["format_version"] === "string" &&
    Object.keys(document).every((key) => STATE_MEMBERS.has(key)),
  flaw(document) {
    const version = text(document, "format_version") ?? "";
    if (KNOWN_VERSION.test(version)) return undefined;
    return `\`format_version\` is ${version}, but only major version 1 is supported`;
  },
};

/** Supported major versions. Minor versions only add members. */
const KNOWN_VERSION = /^[01](?:\.|$)/;

/** Members of a state; a plan has more. An empty state omits `values`. */
const STATE_MEMBERS = new Set(["format_version", "terraform_version", "values", "checks"]);
const DEEPEST = 100;

function readModule(row: Json): DeclaredResource[] {
  return isObject(row) ? resourcesOf(row, 0) : [];
}

function resourcesOf(module: JsonObject, depth: number): DeclaredResource[] {
  if (depth > DEEPEST) return [];
  const address = text(module, "address");
  const own = members(module, "resources")
    .flatMap(readResource)
    .map((resource) => ({ ...resource, ...(address && { module_address: address }) }));
  return [...own, ...members(module, "child_modules").flatMap((child) => resourcesOf(child, depth + 1))];
}

function readResource(row: Json): DeclaredResource[] {
  if (!isObject(row) || row["mode"] !== "managed") return [];
  const type = text(row, "type");
  const address = text(row, "address");
  if (type === undefined || address === undefined) return [];
  const provider = text(row, "provider_name");
  const deposed = text(row, "deposed_key");
  const identity = member(row, "identity");
  const sensitive = shapedPaths(row["sensitive_values"]);
  return [
    {
      address: deposed === undefined ? address : `${address} (deposed ${deposed})`,
      type,
      ...(provider && { provider_name: provider }),
      attributes: member(row, "values") ?? {},
      ...(identity && { identity }),
      ...(sensitive.length > 0 && { sensitive }),
    },
  ];
}
