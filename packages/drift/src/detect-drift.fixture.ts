import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { driftOf } from "./drift-of.ts";
import type { Part } from "./mapping.ts";

/** A resource in a state and in the cloud. */
export interface Pair {
  type: string;
  declared: JsonObject;
  live: JsonObject;
  parts?: readonly Part[];
}

export type Change = [path: string, after: unknown];

/** Returns the differences, and the rules that flag them. */
export function detectDrift({ type, declared, live: properties, parts = [] }: Pair): {
  changes: Change[];
  rules: string[];
} {
  const given = { type, address: `${type}.main`, declared, live: { properties, parts } };
  const { drift } = driftOf(given, { profile: "standard" });
  return {
    changes: (drift?.attribute_changes ?? []).map(({ path, after }) => [path.join("."), after]),
    rules: (drift?.risk_flags ?? []).map(({ rule }) => rule),
  };
}

/** A resource in a state, the equivalent live one, and the live one after a change. */
export interface Case extends Omit<Pair, "live"> {
  same: JsonObject;
  changed: JsonObject;
  changes: Change[];
  /** One of the rules that flag the change. */
  rule: string;
}

/** Tests that equivalent resources have no drift, and that changes are reported and flagged. */
export function testEach(cases: readonly Case[]): void {
  const named = cases.map((one): [string, Case] => [one.type, one]);
  test.each(named)(
    "a change of %s is reported with its risk",
    (_, { same, changed, changes, rule, ...declaration }) => {
      expect(detectDrift({ ...declaration, live: same }).changes).toEqual([]);
      const found = detectDrift({ ...declaration, live: changed });
      expect(Object.fromEntries(found.changes)).toEqual(Object.fromEntries(changes));
      expect(found.rules).toContain(rule);
    },
  );
}
