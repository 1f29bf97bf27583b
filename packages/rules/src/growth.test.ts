import { describe, expect, test } from "bun:test";

import { growthOf, many, repeated, STEEPEST } from "@leeway/shared/testing/growth.fixture";
import { HOSTILE_PARTS, ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { readCondition } from "./condition.ts";
import { subjectOf, type Subject } from "./subject.ts";

let count = 0;

/** Compiles a condition that wasn't compiled before. */
function compile(text: string): void {
  count += 1;
  readCondition(`"${count}"==""||${text}`);
}

const matching = (pattern: string): string => `resource.name.matches(r'${pattern}')`;

/** Conditions of a given size; the largest are about as long as the API accepts. */
const CONDITIONS: Record<string, (size: number) => string> = {
  brackets: (size) => `${"(".repeat(size / 2)}true${")".repeat(size / 2)}`,
  negations: (size) => `${"!".repeat(size)}true`,
  operands: (size) => many(size / 6, () => "true").join("||"),
  lists: (size) => `${"[".repeat(size / 2)}${"]".repeat(size / 2)}==[]`,
  members: (size) => `resource${".a".repeat(size / 2)}`,
  macros: (size) => `${"paths.all(p,".repeat(size / 14)}true${")".repeat(size / 14)}`,
  "conditional values": (size) => `${"true?".repeat(size / 10)}true${":true".repeat(size / 10)}`,
  "a long text": (size) => `resource.name=="${repeated("a", size)}"`,
  escapes: (size) => `resource.name=="${repeated("\\u0041", size)}"`,
  patterns: (size) => many(size / 50, (n) => matching(`a${count}x${n}[a-z]*`)).join("||"),
  "patterns of Unicode classes": (size) =>
    many(size / 50, (n) => matching(`(?i)a${count}x${n}\\PL\\pN`)).join("||"),
};

/** Names of a given size, which conditions search. */
const NAMES: Record<string, (size: number) => string> = {
  ...Object.fromEntries(
    HOSTILE_PARTS.map((part) => [JSON.stringify(part), (size: number) => repeated(part, size)]),
  ),
  ...ONCE_QUADRATIC,
};
const SEARCHES = ["^(a+)+$", "(a|aa)+[!?]", "(?i)(.*a){9}[!?]", "[a-z]*[a-z]*[!?]"].map((pattern) =>
  readCondition(matching(pattern)),
);
const LOOPS = [
  'paths.exists(p,p=="a"+resource.name)',
  "paths.all(p,p.contains(resource.name))",
  'paths.map(p,p+"a").size()<0',
  'resource.tags.exists(t,t=="a")',
].map(readCondition);

const CHANGE = { kind: "changed", risk_level: "high" } as const;

/** Evaluates conditions, which may fail. */
function evaluate(conditions: typeof LOOPS, subject: Subject): void {
  for (const read of conditions) {
    if ("problem" in read) throw new Error(read.problem.message);
    try {
      read.condition(subject);
    } catch {
      // A failed evaluation takes time, too.
    }
  }
}

describe("a condition is compiled in linear time, for many", () => {
  test.each(Object.entries(CONDITIONS))("%s", async (_, make) => {
    expect(await growthOf({ make, work: compile, size: 480 })).toBeLessThan(STEEPEST);
  });
});

/** Builds a change with a name of an unusual length. */
const changeNamed = (name: string): Subject =>
  subjectOf({ change: CHANGE, resource: { type: "aws_instance", name } });
const search = (subject: Subject): void => evaluate(SEARCHES, subject);

describe("conditions are evaluated in linear time, for a name of", () => {
  test.each(Object.entries(NAMES))("%s", async (_, name) => {
    const make = (size: number): Subject => changeNamed(name(size));
    expect(await growthOf({ make, work: search, size: 4_000 })).toBeLessThan(STEEPEST);
  });
});

const changeOfMany = (size: number): Subject =>
  subjectOf({
    change: CHANGE,
    resource: { type: "aws_instance", tags: new Map(many(size, (n) => [`k${n}`, "v"])) },
    paths: many(size, (n) => [`a${n}`]),
  });
const loop = (subject: Subject): void => evaluate(LOOPS, subject);

test("conditions are evaluated in linear time for many paths and tags", async () => {
  expect(await growthOf({ make: changeOfMany, work: loop, size: 1_000 })).toBeLessThan(STEEPEST);
});
