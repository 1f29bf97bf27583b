import { expect, test } from "bun:test";
import fc from "fast-check";

import { readCondition } from "./condition.ts";
import { ENVIRONMENT, LINEAR_MATCHES } from "./environment.ts";
import { shortcutOf } from "./shortcut.ts";
import { subjectOf, type Subject } from "./subject.ts";

const WORDS = ["", "a", "env", "a.b", "high", "R09"];
const literals = fc.constantFrom(...WORDS).map((word) => JSON.stringify(word));
const lists = fc.oneof(
  fc.constantFrom("paths", "change.rules", "change.actions"),
  fc.array(literals, { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(", ")}]`),
);
const variables = fc.constantFrom("p", "paths", "resource");
const texts = fc.oneof(
  literals,
  variables,
  fc.constantFrom(
    "resource.type",
    "resource.tags.env",
    'resource.tags["a"]',
    "declared.module",
    "actor.event",
  ),
);

const { condition: conditions } = fc.letrec<Record<"condition" | "comparison", string>>((tie) => ({
  condition: fc.oneof(
    { depthSize: "small" },
    tie("comparison"),
    fc
      .tuple(tie("condition"), fc.constantFrom("&&", "||"), tie("condition"))
      .map((all) => `(${all.join(" ")})`),
    tie("condition").map((one) => `!(${one})`),
    fc
      .tuple(lists, fc.constantFrom("all", "exists", "exists_one"), variables, tie("condition"))
      .map(([list, loop, variable, body]) => `${list}.${loop}(${variable}, ${body})`),
  ),
  comparison: fc.oneof(
    fc.tuple(texts, fc.constantFrom("==", "!="), texts).map((all) => all.join(" ")),
    fc
      .tuple(texts, fc.constantFrom("startsWith", "endsWith", "contains", "matches"), literals)
      .map(([text, search, part]) => `${text}.${search}(${part})`),
    fc.tuple(texts, fc.oneof(lists, fc.constant("resource.tags"))).map((all) => all.join(" in ")),
    fc.constantFrom("has(resource.tags.env)", "has(resource.name)", "size(paths) == 1", "true"),
  ),
}));

const words = fc.constantFrom(...WORDS);
const subjects = fc
  .record({
    type: words,
    rules: fc.array(words, { maxLength: 2 }),
    tags: fc.dictionary(fc.constantFrom("env", "a"), words),
    paths: fc.array(fc.array(words, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
  })
  .map(({ type, rules, tags, paths }) =>
    subjectOf({
      change: { kind: "changed", risk_level: "high", rules },
      resource: { type, tags: new Map(Object.entries(tags)) },
      paths,
    }),
  );

/** Returns the value of a condition, or the message of the error that it throws. */
function outcome(condition: (subject: Subject) => unknown, subject: Subject): unknown {
  try {
    return condition(subject);
  } catch (error) {
    return error instanceof Error ? error.message.split("\n")[0] : error;
  }
}

test("a condition has the value or error that the library gives it, in 1,000 random cases", () => {
  let short = 0;
  let evaluated = 0;
  fc.assert(
    fc.property(conditions, subjects, (text, subject) => {
      const read = readCondition(text);
      if ("problem" in read) return;
      const library = ENVIRONMENT.parse(text.replaceAll("matches", LINEAR_MATCHES));
      expect(outcome(read.condition, subject)).toEqual(outcome(library, subject));
      evaluated += 1;
      if (shortcutOf(library.ast)(subject) !== undefined) short += 1;
    }),
    { numRuns: 1_000 },
  );
  expect(evaluated).toBeGreaterThan(300);
  expect(short / evaluated).toBeGreaterThan(0.5);
});
