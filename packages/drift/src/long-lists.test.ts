import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { alignedValues } from "./aligned.ts";
import { mirrored, nestedAzure } from "./mirrored.ts";
import { references } from "./shapes.ts";

const LONG = 20_000;
const numbers = Array.from({ length: LONG }, (_, index) => index);
const addresses = numbers.map((index) => `10.0.${index >> 8}.${index & 255}/32`);

describe("a list with thousands of items is compared at once", () => {
  test("if its values are in another order, type or case", () => {
    const ids = addresses.map((address) => `/subscriptions/a/Networks/${address}`);
    expect(mirrored(addresses.toReversed(), addresses)).toEqual(addresses);
    expect(mirrored(numbers.toReversed(), numbers.map(String))).toEqual(numbers.map(String));
    expect(
      nestedAzure(
        ids.toReversed().map((id) => id.toLowerCase()),
        ids,
      ),
    ).toEqual(ids);
    expect(references(addresses.toReversed(), addresses)).toEqual(addresses);
  });

  test("if all its values differ", () => {
    const others = addresses.map((address) => `x${address}`);
    expect(mirrored(others, addresses)).toEqual(others);
  });

  test("if its blocks have names", () => {
    const rules = numbers.map((index) => ({ name: `rule-${index}`, port: index }));
    const changed = rules.map((rule) => (rule.port === 7 ? { ...rule, port: 22 } : rule));
    expect(mirrored(changed.toReversed(), rules)).toEqual(changed);
    expect(mirrored(rules.slice(1), rules)).toEqual([null, ...rules.slice(1)]);
    expect(mirrored(rules, rules.slice(1))).toEqual([...rules.slice(1), ...rules.slice(0, 1)]);
  });

  test("but isn't compared if its blocks have no names", () => {
    const rules = numbers.map((index) => ({ port: index }));
    expect(mirrored(rules.toReversed(), rules)).toBeUndefined();
  });
});

test("aligned values keep the state's order, without loss or duplicates", () => {
  const values = fc.array(fc.constantFrom("a", "b", 1, true, null));
  fc.assert(
    fc.property(values, values, (live, declared) => {
      const aligned = alignedValues(live, declared);
      expect(aligned.map(String).toSorted()).toEqual(live.map(String).toSorted());
      if (aligned.length < declared.length) return;
      const same = declared.filter((value, index) => aligned[index] === value).length;
      const common = declared.filter((value, index) => {
        const before = declared.slice(0, index).filter((other) => other === value).length;
        return live.filter((other) => other === value).length > before;
      }).length;
      expect(same).toBeGreaterThanOrEqual(common);
    }),
  );
});
