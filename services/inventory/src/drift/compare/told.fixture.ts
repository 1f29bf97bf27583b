import { expect, test } from "bun:test";

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

/** As a state has it, as the cloud writes the same, and as that has it once somebody changed it. */
export interface Case extends Omit<Pair, "live"> {
  same: JsonObject;
  changed: JsonObject;
  changes: Change[];
  /** One of those that tell what it risks. */
  rule: string;
}

/** Tests of each that the same is no drift, and that what was changed is told with what it risks. */
export function testEach(cases: readonly Case[]): void {
  const named = cases.map((one): [string, Case] => [one.type, one]);
  test.each(named)("of %s", (_, { same, changed, changes, rule, ...declaration }) => {
    expect(told({ ...declaration, live: same }).changes).toEqual([]);
    const found = told({ ...declaration, live: changed });
    expect(Object.fromEntries(found.changes)).toEqual(Object.fromEntries(changes));
    expect(found.rules).toContain(rule);
  });
}
