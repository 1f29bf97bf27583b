import { describe, expect, test } from "bun:test";

import { SOURCES, type Source } from "@leeway/shared/contracts/webhooks/events";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import { applyBody, bytes, driftBody, mergeRequestBody, noteBody, planBody } from "./bodies.fixture.ts";
import { readEvent } from "./read-event.ts";
import { BOT, eventIn } from "./reading.fixture.ts";
import { REASONS } from "./reading.ts";

const anyJson: fc.Arbitrary<Json> = fc.json().map((text) => JSON.parse(text));

describe("any body", () => {
  test.each<[string, Uint8Array | string]>([
    ["an empty body", ""],
    ["text that isn't JSON", "payload=%7B%7D"],
    ["a list", "[{}]"],
    ["truncated JSON", '{"object_kind":"note"'],
    ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ["half a surrogate pair in bytes", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["megabytes of brackets", "[".repeat(5_000_000)],
  ])("%s is not_json", (_, body) => {
    for (const source of SOURCES)
      expect(readEvent(source, typeof body === "string" ? bytes(body) : body)).toEqual({
        wanted: false,
        reason: "not_json",
      });
  });

  test("a broken body doesn't affect the next one", () => {
    readEvent("vcs", new Uint8Array([0x7b, 0xe2]));
    expect(readEvent("vcs", bytes(mergeRequestBody())).wanted).toBe(true);
  });

  test("a byte order mark is ignored", () => {
    expect(readEvent("vcs", bytes(`\uFEFF${JSON.stringify(mergeRequestBody())}`)).wanted).toBe(true);
  });

  test("a plan with thousands of nested levels is cut without a crash", () => {
    const event = eventIn(readEvent("planner", bytes(nested(9_000))));
    expect(JSON.stringify(event).length).toBeLessThan(5_000);
  });

  test.each(["", "\uFEFF"])("a deeper body after %j isn't parsed, because it would take seconds", (mark) => {
    expect(readEvent("planner", bytes(mark + nested(200_000)))).toEqual({
      wanted: false,
      reason: "not_json",
    });
  });

  test("members called __proto__ are data, and the last duplicate counts", () => {
    const body = JSON.stringify(mergeRequestBody())
      .replace("{", '{"__proto__":{"object_kind":"push"},"object_kind":"push",')
      .replace('"action":"open"', '"action":"close","action":"open"');
    expect(readEvent("vcs", bytes(body))).toMatchObject({ wanted: true, kind: "merge_request" });
    expect(readEvent("vcs", bytes('{"__proto__":{"object_kind":"note"}}'))).toMatchObject({
      reason: "not_an_event",
    });
  });

  test("any bytes are read without an exception", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), fc.uint8Array({ maxLength: 200 }), (source, body) => {
        expectSound(source, body);
      }),
    );
  });

  test("any JSON is read without an exception", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SOURCES), anyJson, (source, json) => {
        expectSound(source, bytes(JSON.stringify(json)));
      }),
    );
  });

  test("a damaged event is either valid or refused with a reason", () => {
    fc.assert(
      fc.property(damagedBody, ([source, body]) => {
        expectSound(source, bytes(JSON.stringify(body)));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Valid bodies, with one or two of their members at any depth replaced by arbitrary values. */
const damagedBody: fc.Arbitrary<[Source, Json]> = fc
  .constantFrom<[Source, JsonObject]>(
    ["vcs", mergeRequestBody()],
    ["vcs", noteBody("/leeway explain a.b")],
    ["planner", planBody({ plan: samplePlan() })],
    ["planner", applyBody()],
    ["planner", driftBody()],
  )
  .chain(([source, body]) => {
    const anything = fc.oneof(
      anyJson,
      fc.string({ unit: "binary" }),
      fc.constantFrom<Json>(
        "\0",
        "\uD800",
        "x".repeat(5_000),
        -1,
        0,
        1e308,
        1.5,
        {},
        [],
        [{}],
        [null],
        true,
        null,
      ),
    );
    const damage = fc.tuple(fc.constantFrom(...pathsIn(body)), anything);
    return fc
      .array(damage, { minLength: 1, maxLength: 2 })
      .map((damages): [Source, Json] => [
        source,
        damages.reduce<Json>((broken, [path, value]) => replaceAt(broken, path, value), body),
      ]);
  });

function samplePlan(): JsonObject {
  const change = {
    actions: ["update"],
    before: { a: ["x"] },
    after: { a: ["y"] },
    after_sensitive: { a: [true] },
    leeway_changed: [["a", 0]],
  };
  return {
    format_version: "1.2",
    resource_changes: [{ address: "a.b", change }],
    output_changes: { url: { actions: ["create"], after: "x" } },
    leeway_pruned: [{ step: "values", count: 1 }],
  };
}

function pathsIn(value: Json, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))];
}

function replaceAt(value: Json, path: string[], replacement: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? replaceAt(item, rest, replacement) : item));
  return isObject(value) ? { ...value, [key]: replaceAt(value[key] ?? null, rest, replacement) } : value;
}

/** Checks that a wanted event fits the contract and can be stored, and that an ignored one has a listed reason. */
function expectSound(source: Source, body: Uint8Array): void {
  const reading = readEvent(source, body, BOT);
  if (!reading.wanted) {
    expect(Object.keys(REASONS)).toContain(reading.reason.split(":")[0] ?? "");
    expect(reading.reason.length).toBeLessThan(200);
    return;
  }
  const event = eventIn(reading);
  expect(event).toMatchObject({ kind: reading.kind ?? "", repository: reading.repository ?? "" });
  expect(JSON.stringify(event)).not.toMatch(/\\u0000|\\ud[89a-f]/);
}

/** Creates a planner's event with a plan nested `levels` deep, plus a few. */
function nested(levels: number): string {
  const deep = (end: string): string => '{"a":'.repeat(levels) + end + "}".repeat(levels);
  const change = `{"before":${deep("1")},"after":null,"before_sensitive":${deep("true")}}`;
  const plan = `{"format_version":"1.2","resource_changes":[{"address":"a.b","change":${change}}]}`;
  return JSON.stringify(planBody({ plan: "PLAN" })).replace('"PLAN"', plan);
}
