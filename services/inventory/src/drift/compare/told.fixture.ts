import type { JsonObject } from "@leeway/shared/json";

import { driftOf } from "./drift-of.ts";
import type { Part } from "./mapping.ts";

/** A resource as a state has it and as it runs. */
export interface Pair {
  type: string;
  declared: JsonObject;
  live: JsonObject;
  parts?: readonly Part[];
}

export type Change = [path: string, after: unknown];

/** What is told of it: what differs, and the rules of what it risks. */
export function told({ type, declared, live: properties, parts = [] }: Pair): {
  changes: Change[];
  rules: string[];
} {
  const given = { type, address: `${type}.main`, declared, live: { properties, parts } };
  const { drift } = driftOf(given, { profile: "strict" });
  return {
    changes: (drift?.attribute_changes ?? []).map(({ path, after }) => [path.join("."), after]),
    rules: (drift?.risk_flags ?? []).map(({ rule }) => rule),
  };
}
