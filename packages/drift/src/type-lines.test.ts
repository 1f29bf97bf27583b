import { expect, test } from "bun:test";
import fc from "fast-check";

import { typeLines } from "./type-lines.ts";

const name = fc.stringMatching(/^aws_[a-z0-9_]{1,8}$/);

test("every type of a sorted table has all of its lines, and other types have none", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, fc.integer({ min: 1, max: 4 })), {
        selector: ([type]) => type,
        minLength: 1,
      }),
      name,
      (types, other) => {
        const lines = types
          .toSorted(([one], [next]) => (one < next ? -1 : 1))
          .flatMap(([type, count]) => Array.from({ length: count }, (_, index) => `${type}\t${index}`));
        const table = typeLines({ aws: `# a comment\ntype\tnumber\n${lines.join("\n")}\n` });
        for (const [type, count] of types)
          expect(table.of(type)).toEqual(Array.from({ length: count }, (_, index) => [type, `${index}`]));
        if (!types.some(([type]) => type === other)) expect(table.of(other)).toEqual([]);
        expect(new Set(table.types())).toEqual(new Set(types.map(([type]) => type)));
      },
    ),
  );
});

test("a type of another provider has no lines", () => {
  expect(typeLines({ aws: "type\tnumber\naws_instance\t1\n" }).of("google_project")).toEqual([]);
});
