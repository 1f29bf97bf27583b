import { expect, test } from "bun:test";

import fc from "fast-check";

import { isObject, member, type Json, type JsonObject } from "@leeway/shared/values/json";
import { readJson } from "@leeway/shared/values/strict-json/json-text";
import { maskPlan, readMaskedPlan } from "./mask-plan.ts";
import { CANARY, change, planOf } from "./plan.fixture.ts";

function read(text: string, isIdle: (resource: JsonObject) => boolean = () => false) {
  const { json, outline } = readJson(Buffer.from(text), (reader) => readMaskedPlan(reader, isIdle));
  const plan: Json = JSON.parse(json);
  return { plan, outline };
}

const stays = (resource: JsonObject): boolean =>
  JSON.stringify(member(resource, "change")?.["actions"]) === '["no-op"]';

test("masking a text gives the same as masking its plan", () => {
  const sides = {
    before: { note: "x", secret: CANARY },
    after: { note: CANARY },
    after_sensitive: { note: true },
  };
  const changes = [change(["update"], { ...sides, leeway_changed: [["b"]] }), change(["no-op"], sides)];
  const plan = planOf(changes, { resource_drift: changes, leeway_pruned: [{ step: "values", count: 1 }] });
  expect(read(JSON.stringify(plan)).plan).toEqual(maskPlan(plan));
});

const names = (all: string): fc.Arbitrary<string> => fc.constantFrom(...all.split(" "));
const anything = fc.constantFrom<Json[]>(
  null,
  true,
  7,
  "x",
  "\0\ud800",
  [],
  {},
  [1, { a: null }],
  { a: [true] },
  ["no-op"],
);
const object = (all: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 5, arbitrary: fc.dictionary(names(all), value) }, { weight: 1, arbitrary: anything });
const sides = object("a password __proto__ tags", fc.oneof(anything, fc.constant(true)));
const changes = fc.oneof(
  fc.array(
    object(
      "address type index change",
      object(
        "actions importing before after before_sensitive after_sensitive after_unknown replace_paths other",
        sides,
      ),
    ),
    { maxLength: 3 },
  ),
  anything,
);
const plans = object(
  "resource_changes resource_drift format_version checks output_changes planned_values",
  changes,
);

test("masking any JSON text gives the same as masking its value", () => {
  fc.assert(
    fc.property(plans, (value) => {
      const plan: Json = JSON.parse(JSON.stringify(value));
      expect(read(JSON.stringify(plan)).plan).toEqual(maskPlan(plan));
    }),
    { numRuns: 100 },
  );
});

test("the last of duplicate members counts, as with JSON.parse", () => {
  const one = JSON.stringify(change(["create"], { after: { a: 1 } }));
  const other = '{"address":"a.b","change":7,"change":{"actions":["delete"],"before":1,"before":{"b":2}}}';
  const text = `{"resource_changes":[${one}],"format_version":"0","format_version":"1.2","resource_changes":[${other}]}`;
  expect(read(text).plan).toEqual(maskPlan(JSON.parse(text)));
});

test("unchanged resources lose their values, drift keeps them", () => {
  const idle = change(["no-op"], { before: { a: 1 }, after: { a: 1 }, importing: { id: "i" } });
  const { plan } = read(JSON.stringify({ resource_changes: [idle], resource_drift: [idle] }), stays);
  const { change: _, ...resource } = idle;
  expect(isObject(plan) && plan["resource_changes"]).toEqual([
    { ...resource, change: { actions: ["no-op"], importing: { id: "i" } } },
  ]);
  expect(isObject(plan) && plan["resource_drift"]).toMatchObject([{ change: { before: { a: 1 } } }]);
});

test("the outline lists each member without unneeded values", () => {
  const { outline } = read(
    '{"format_version":"1.2","values":{"x":"y"},"resource_changes":[],"@level":"info"}',
  );
  expect(outline).toEqual({ format_version: "1.2", values: null, resource_changes: null, "@level": null });
});
