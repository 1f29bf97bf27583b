import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { describeProblem, readCondition } from "./condition.ts";
import { patternWeight } from "./patterns.ts";
import { subjectOf, type KnownFacts } from "./subject.ts";

const BUCKET: KnownFacts = {
  change: {
    kind: "changed",
    risk_level: "high",
    actions: ["update"],
    rules: ["R09"],
    flags: ["network_open"],
  },
  resource: {
    type: "aws_s3_bucket",
    provider: "aws",
    region: "eu-west-1",
    name: "orders-dev",
    id: "arn:aws:s3:::orders-dev",
    account: "123456789012",
    tags: new Map([["env", "dev"]]),
  },
  declared: { address: "module.orders.aws_s3_bucket.this", module: "module.orders", source: "orders" },
  actor: { principal: "arn:aws:iam::123456789012:user/anna" },
  paths: [
    ["tags", "owner"],
    ["versioning", 0, "enabled"],
  ],
};

/** Evaluates a condition, or returns why it is refused. */
function result(text: string, facts = BUCKET): boolean | string {
  const read = readCondition(text);
  return "problem" in read ? describeProblem(text, read.problem) : read.condition(subjectOf(facts));
}

describe("a condition", () => {
  test.each([
    ['resource.type == "aws_s3_bucket" && resource.tags["env"] == "dev"', true],
    ['resource.tags.env == "prod"', false],
    ['"owner" in resource.tags', false],
    ["has(resource.tags.env)", true],
    ['paths.exists(p, p.startsWith("tags."))', true],
    ['paths.all(p, p.startsWith("tags."))', false],
    ['"versioning.0.enabled" in paths', true],
    ['declared.module == "module.orders" && declared.source == "orders"', true],
    ['actor.principal.endsWith("user/anna")', true],
    ['change.kind == "changed" && "R09" in change.rules && change.risk_level in ["critical", "high"]', true],
    ['resource.name.matches("^orders-(dev|test)$")', true],
    ['resource.name.matches("(?i)ORDERS")', true],
    ['resource.name.matches("(?i)^[A-Zß-ÿ-]+$")', true],
    ["size(paths) == 2", true],
    ['"constructor" in resource.tags', false],
  ])("%s is %p", (text, expected) => {
    expect(result(text)).toBe(expected);
  });

  test.each([
    ['resource.typ == "x"', 'uses the unknown member "typ" (line 1, column 10); did you mean type?'],
    [
      'true &&\n  resorce.type == "x"',
      'uses the unknown name "resorce" (line 2, column 3); did you mean resource?',
    ],
    [
      'owner == "x"',
      'uses the unknown name "owner" (line 1, column 1); known are change, resource, declared, actor, paths',
    ],
    [
      "resource.type == 1",
      'has "==" between a string and a number (line 1, column 1); write values of the same',
    ],
    ["!resource.type", 'has "!" before a string (line 1, column 1); compare it first'],
    ['true && "a"', "joins a string with && or || (line 1, column 1); compare it first"],
    ["resource.type", "must be true or false, but is of type string (line 1, column 10); compare the value"],
    ['resource.type == "a', "has a text without an end (line 1, column 18); add the closing quotation mark"],
    ['resource.type = "a"', 'has an unexpected "=" (line 1, column 15); compare with =='],
    ["", "ends too early (line 1, column 1); complete the condition"],
    ["(true", "ends too early (line 1, column 6); complete the condition"],
    ["resource.tags.env.x", "reads a member of a string, which has none (line 1, column 19)"],
    ['paths["x"] == "a"', "isn't valid CEL: list index must be int"],
    ["resource.name.startsWith()", "calls startsWith with the wrong arguments (line 1, column 1)"],
    ['cel.bind(a, "x", a == "x")', 'calls the unknown function "bind" (line 1, column 1); '],
    [
      'timestamp("2026-01-01T00:00:00Z") == timestamp("x")',
      'calls the unknown function "timestamp" (line 1, column 1); known are all, contains',
    ],
    [
      "resource.name.matches(resource.type)",
      "calls matches without a pattern in quotation marks (line 1, column 32)",
    ],
    ['resource.name.matches("(?=a)")', "has a pattern that isn't valid in RE2: "],
    [
      'resource.name.matches("(a{99}){99}")',
      "has a pattern that repeats too much (line 1, column 23); write a simpler RE2 pattern",
    ],
    [
      'resource.name.matches("(?i)[Ā-\u{10FFFF}]")',
      "has a pattern that ignores the case of a large range (line 1, column 23); write a simpler RE2 pattern",
    ],
    ['resource.name.matches("(?s-i:a(?i)[a-\\\\x{FFFF}]*)")', "ignores the case of a large range"],
    ["paths.exists(p, paths.exists(q, p == q))", "costs too much"],
    [
      "paths.map(p, p + p).map(p, p + p).map(p, p + p).map(p, p + p).map(p, p + p).size() > 0",
      "costs too much",
    ],
    ['paths.exists(p, p.matches("[a-z]{400}"))', "costs too much"],
  ])("%s is refused: %s", (text, expected) => {
    expect(result(text)).toContain(expected);
  });

  test("of more than 2,000 characters is refused", () => {
    expect(result(`${"true && ".repeat(300)}true`)).toStartWith("is longer than 2000 characters");
  });

  test.each([
    ["brackets", `${"(".repeat(990)}true${")".repeat(990)}`],
    ["negations", `${"!".repeat(1_900)}true`],
    ["lists", `${"[".repeat(900)}${"]".repeat(900)} == []`],
    ["members", `resource${".a".repeat(900)}`],
    ["conditionals", `${"true?".repeat(200)}true${":true".repeat(190)}`],
    ["macros", `${"paths.all(p, ".repeat(100)}true${")".repeat(100)}`],
    ["a large list", `"a" in [${'"a",'.repeat(300)}"a"]`],
    ["groups of a pattern", `resource.name.matches("${"(".repeat(190)}")`],
  ])("with too many %s is refused", (_, text) => {
    expect(result(text)).toBeString();
  });

  test("that uses a regular expression bomb ends", () => {
    const long = { ...BUCKET, resource: { ...BUCKET.resource, name: `${"a".repeat(50_000)}!` } };
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(.*a){20}$", "^(a|aa)+$"])
      expect(result(`resource.name.matches("${pattern}")`, long)).toBe(false);
  });

  test("never makes the checker itself fail, whatever the text", () => {
    const words = [
      "resource.name",
      "paths",
      '"a"',
      "&&",
      "||",
      "!",
      "(",
      ")",
      ".exists(p, ",
      "p",
      "==",
      "[",
      "]",
      "matches",
      "?",
      ":",
      "1",
      " in ",
    ];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.constantFrom(...words)).map((all) => all.join("")),
        ),
        (text) => {
          const read = readCondition(text);
          if ("problem" in read) expect(read.problem.at).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test.each([
  ["abc", 3],
  ["[a-z]{3}", 3],
  ["(ab){2,5}c", 16],
  ["(?:[0-9]{4}-){2}", 14],
  ["\\d{4}\\{3}", 7],
])("pattern %s takes at most %p steps", (pattern, weight) => {
  expect(patternWeight(pattern)).toBeLessThanOrEqual(weight + 4);
  expect(patternWeight(pattern)).toBeGreaterThanOrEqual(weight);
});
