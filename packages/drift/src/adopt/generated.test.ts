import { expect, test } from "bun:test";
import fc from "fast-check";

import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { live } from "./adopt.fixture.ts";
import { argumentsOf, type Argument, type ArgumentKind } from "./arguments.ts";
import { offeredTypes } from "./offered-types.ts";
import { settleArguments } from "./settle-arguments.ts";

const VALUES: Readonly<Record<Exclude<ArgumentKind, "b" | "B">, Json>> = {
  t: "text",
  n: 1,
  s: true,
  l: ["text"],
  L: [1],
  m: { key: "text" },
  j: { key: [1] },
};

/** Builds a document with some of the arguments; `isSet` decides about each. */
function documentOf(args: readonly Argument[], isSet: () => boolean): JsonObject {
  return Object.fromEntries(
    args
      .filter(isSet)
      .map(({ name, kind, inner }) => [
        name,
        kind === "b" || kind === "B" ? [documentOf(inner, isSet)] : VALUES[kind],
      ]),
  );
}

/** Returns what is wrong with a written block: unknown arguments, and those that can't be set together. */
function problemsIn(args: readonly Argument[], block: JsonObject): string[] {
  const unknown = Object.keys(block).filter((name) => !args.some((one) => one.name === name));
  const opposed = args
    .filter(({ name }) => block[name] !== undefined)
    .flatMap(({ name, conflicts }) =>
      conflicts.filter((other) => block[other] !== undefined).map((other) => `${name}, ${other}`),
    );
  const inner = args.flatMap((one) =>
    one.inner.length === 0
      ? []
      : [block[one.name] ?? []]
          .flat()
          .filter(isObject)
          .flatMap((each) => problemsIn(one.inner, each)),
  );
  return [...unknown, ...opposed, ...inner];
}

test("whatever a document shows, code has only known arguments that go together, and read again it is the same", () => {
  const anyType = fc.constantFrom(...offeredTypes());
  fc.assert(
    fc.property(anyType, fc.infiniteStream(fc.boolean()), (type, choices) => {
      const args = argumentsOf(type);
      const document = documentOf(args, () => choices.next().value === true);
      const own = live(type, "any:thing", document);
      const { attributes, missing } = settleArguments(type, args, document, own);
      expect({ type, problems: problemsIn(args, attributes) }).toEqual({ type, problems: [] });
      const lacking = args.filter(
        ({ name, isRequired, isSecret }) => isRequired && !isSecret && attributes[name] === undefined,
      );
      expect(missing).toEqual(expect.arrayContaining(lacking.map(({ name }) => name)));
      expect(settleArguments(type, args, attributes, own).attributes).toEqual(attributes);
    }),
    { numRuns: 1_000 },
  );
});
