import { expect, test } from "bun:test";

import { Type as t } from "@sinclair/typebox";

import { defineEvent, defineRequest } from "./contract.ts";
import { sealed, sealedFields } from "./sealed.ts";

const Secret = sealed(t.String());

test("sealed fields are found in objects and in every variant of a union, each once", () => {
  const kinds = t.Union([
    t.Object({ kind: t.Literal("a"), key: Secret }),
    t.Object({ kind: t.Literal("b"), key: Secret, token: t.Optional(Secret) }),
    t.Null(),
  ]);
  const input = t.Composite([t.Object({ org_id: t.String() }), t.Object({ inner: t.Optional(kinds) })]);
  const { sealed: fields } = defineRequest("a.b.c", { input, output: t.Object({ properties: Secret }) });
  expect(fields).toEqual({
    input: [
      ["inner", "key"],
      ["inner", "token"],
    ],
    output: [["properties"]],
  });
});

test.each([
  ["a list", t.Object({ all: t.Array(t.Object({ key: Secret })) })],
  ["a record", t.Object({ all: t.Record(t.String(), Secret) })],
])("a sealed field in %s is refused, because nothing would seal it", (_, schema) => {
  expect(() => sealedFields(schema)).toThrow("can't be sealed");
});

test("an event with a sealed field is refused, because only requests are sealed", () => {
  const payload = t.Object({ key: Secret });
  expect(() => defineEvent("a.thing.made", { stream: "A", payload })).toThrow("can't have a sealed field");
});
