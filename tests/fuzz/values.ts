import { isObject, text, type JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

/** Invalid values. */
export const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.toWellFormed()),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    "\0",
    "__proto__",
    "'; drop table x; --",
    "\u{10FFFF}",
    "x".repeat(3_000),
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999999-23:59",
    "00000000-0000-0000-0000-000000000000",
    2 ** 53,
    -1,
    1e308,
    null,
    {},
    [],
  ),
);

/**
 * Draws values that match a JSON schema. Half of all ids come from `known`.
 * @param schema one of ours: objects, arrays, unions, literals, strings, numbers and booleans
 */
export function fitting(schema: unknown, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (!isObject(schema)) return odd;
  const {
    const: only,
    anyOf,
    enum: words = only === undefined ? undefined : [only],
    examples = words,
  } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one) => fitting(one, known)));
  if (Array.isArray(examples)) return fc.constantFrom<unknown>(...examples);
  return OF_TYPE[text(schema, "type") ?? ""]?.(schema, known) ?? odd;
}

type Draw = (schema: JsonObject, known: fc.Arbitrary<string>) => fc.Arbitrary<unknown>;

const numbers: Draw = ({ minimum, maximum }) =>
  fc.integer({ min: numberOr(minimum, -5), max: numberOr(maximum, 50) });

const OF_TYPE: Readonly<Record<string, Draw | undefined>> = {
  object: objects,
  array: ({ items }, known) => fc.array(fitting(items, known), { maxLength: 3 }),
  integer: numbers,
  number: numbers,
  boolean: () => fc.boolean(),
  string: texts,
};

function objects(schema: object, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = { ...schema } as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const members = Object.entries(properties).map(([name, one]) => [name, fitting(one, known)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: required });
}

function texts(schema: object, known: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = { ...schema } as {
    format?: string;
    pattern?: string;
    minLength?: number;
    maxLength?: number;
  };
  if (format === "uuid") return fc.oneof(known, fc.uuid());
  if (format === "date-time")
    return fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
  const length = { minLength: minLength ?? 0, maxLength: Math.min(maxLength ?? 40, 40) };
  return fc.string({ ...length, unit: "grapheme" });
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
