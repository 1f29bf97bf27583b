import { attribute } from "@leeway/clouds/aws/attributes";
import { isObject, text, type Json } from "@leeway/shared/values/json";

import { memberOf } from "./live-path.ts";
import type { ShapeWithin } from "./mapping.ts";
import { namesOf } from "./names.ts";
import { document } from "./shapes.ts";

const NAMES = ["name", "policy_names"];

/** Compares inline policies of a role, user or group by name. Policies declared as parts are compared separately. */
export const inlinePolicies: ShapeWithin = (live, declared, { parts }) => {
  if (!Array.isArray(live)) return undefined;
  const known = Array.isArray(declared) ? declared.filter(isObject) : [];
  const found = new Map(
    live.map((item): [Json, Json] => [member(item, "policyName"), member(item, "policyDocument")]),
  );
  const kept = known.map((block) => {
    const policy = found.get(block["name"] ?? null);
    if (policy === undefined) return text(block, "name") ? null : block;
    return { ...block, policy: document(policy, block["policy"] ?? null) ?? block["policy"] ?? null };
  });
  for (const { name } of known) found.delete(name ?? null);
  for (const { attributes } of parts) {
    for (const name of NAMES.flatMap((one) => attribute(attributes, one) ?? [])) found.delete(name);
  }
  const added = found.entries().map(([name, policy]) => ({ name, policy: document(policy, null) ?? null }));
  const all = [...kept, ...added];
  return declared === null && all.length === 0 ? null : all;
};

function member(item: Json, name: string): Json {
  return memberOf(item, namesOf(name)) ?? null;
}
