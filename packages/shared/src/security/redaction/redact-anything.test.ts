import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Json } from "../../values/json.ts";
import { redact, REDACTED, redactText } from "./redact.ts";
import { isSecret } from "./secret-names.ts";
import { AROUND, CANARY, FORMS, NAMES, shown } from "./secrets.fixture.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(...FORMS.map(([, form]) => form)),
  fc.constantFrom(...AROUND.map(([, write]) => write(CANARY))),
  fc
    .array(
      fc.constantFrom(
        "password",
        "token",
        "=",
        ": ",
        '"',
        "'",
        "\\",
        REDACTED,
        "[",
        "]",
        "://",
        "@",
        " ",
        "x",
      ),
    )
    .map((parts) => parts.join("")),
);
const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(anyText, fc.constantFrom(...NAMES, "name", "value", "type", "kind")),
      tie("json"),
      {
        maxKeys: 4,
      },
    ),
  ),
})).json;

/** Returns the value at a JSON pointer. */
function at(value: unknown, pointer: string): unknown {
  const steps = pointer.split("/").slice(1);
  return steps.reduce<unknown>(
    (inner, step) => Reflect.get(Object(inner), step.replaceAll("~1", "/").replaceAll("~0", "~")),
    value,
  );
}

describe("any value", () => {
  test("doesn't change when redacted again, and the input stays unchanged", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const before = JSON.stringify(value);
        const once = redact(value);
        expect(JSON.stringify(value)).toBe(before);
        expect(redact(once.value).value).toEqual(once.value);
      }),
      { numRuns: 2_000 },
    );
  });

  test("has pointers only to hidden parts, and the rest is unchanged", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const cleaned = redact(value);
        for (const pointer of cleaned.redactions)
          expect(String(at(cleaned.value, pointer))).toContain(REDACTED);
        if (cleaned.redactions.length === 0 && !JSON.stringify(cleaned.value).includes(REDACTED))
          expect(cleaned.value).toEqual(value);
      }),
      { numRuns: 1_000 },
    );
  });

  test("hides a secret at any depth, next to anything", () => {
    fc.assert(
      fc.property(anyJson, anyJson, fc.constantFrom(...NAMES), fc.array(fc.string()), (a, b, name, path) => {
        let value: Json = { a, [name]: `${CANARY}-${CANARY}`, b };
        for (const step of path) value = { [step]: value };
        expect(shown(value)).not.toContain(`${CANARY}-${CANARY}`);
      }),
      { numRuns: 1_000 },
    );
  });
});

const textOfNothing = fc.constantFrom("a b", "https://example.com/?code=abc", "x: y", CANARY, ...NAMES);
const member = fc.oneof(fc.constantFrom(...NAMES, "kind", "data", "name", "value"), textOfNothing);
const document = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    textOfNothing,
    fc.constantFrom<Json>("Secret", "DB_PASSWORD", "--password", 5, true, null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(member, tie("json"), { maxKeys: 4 }),
  ),
})).json;

test("a JSON text stays valid JSON, even nested in a text", () => {
  fc.assert(
    fc.property(document, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify({ a: value, inner: JSON.stringify({ a: value }) }, undefined, indent);
      const { inner } = JSON.parse(redactText(text));
      expect(() => JSON.parse(inner)).not.toThrow();
    }),
    { numRuns: 2_000 },
  );
});

test("a name of any length and characters can be checked", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (name) => typeof isSecret(name) === "boolean"));
  expect(isSecret("a".repeat(1_000_000))).toBe(false);
});

test("a secret after thousands of harmless assignments is hidden, and they aren't", () => {
  const harmless = "auth_type=iam,".repeat(10_000);
  expect(redactText(`${harmless}password=${CANARY}`)).toBe(`${harmless}password=${REDACTED}`);
});

test("100,000 token names stay distinct", () => {
  const tokens = Array.from({ length: 100_000 }, (_, index) => `AKIA${String(index).padStart(16, "0")}`);
  const { value } = redact(Object.fromEntries(tokens.map((token) => [token, "x"])));
  expect(Object.keys(value)).toHaveLength(tokens.length);
  expect(JSON.stringify(value)).not.toContain("AKIA");
});
