import { isObject, type Json } from "@leeway/shared/json";

import { detailsOf } from "../../clouds/azure/details.ts";
import type { ShapeWithin } from "./mapping.ts";
import { mirrored } from "./mirrored.ts";

/**
 * Rules of a network security group, which have their members one level down in the live properties. Those that are
 * parts tell for themselves.
 */
export const networkSecurityRules: ShapeWithin = (live, declared, { parts }) => {
  if (!Array.isArray(live)) return undefined;
  const known = Array.isArray(declared) ? declared.filter(isObject) : [];
  const standalone = new Set(parts.map(({ attributes }) => attributes["name"]));
  const rules = live.flatMap((rule): Json[] => {
    if (!isObject(rule)) return [rule];
    const name = rule["name"] ?? null;
    if (standalone.has(name)) return known.filter((block) => block["name"] === name);
    return [{ name, ...detailsOf(rule) }];
  });
  return mirrored(rules, declared);
};
