import { expect, test } from "bun:test";

import { growthOf, many, STEEPEST } from "@leeway/shared/testing/growth.fixture";
import { ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { readSubmission } from "./read-submission.ts";

const PLAN = '{"format_version":"1.2","resource_changes":[]}';

/** Reads a submission that may be refused. */
function read(json: string): void {
  try {
    readSubmission(Buffer.from(json));
  } catch {
    // Refusing takes time, too.
  }
}

const changes = (changes: string): string =>
  `{"plan":{"format_version":"1.2","resource_changes":[${changes}]}}`;

/** Submissions of a given size, each of which stresses one part of the reader. */
const FAMILIES: Record<string, (size: number) => string> = {
  "many unknown members": (size) => `{"plan":${PLAN}${many(size / 12, (n) => `,"u${n}":${n}`).join("")}}`,
  "many labels": (size) =>
    `{"plan":${PLAN},"labels":{${many(size / 14, (n) => `"u${n}":"${n}"`).join(",")}}}`,
  "many plans": (size) => `{${many(size / 60, () => `"plan":${PLAN}`).join(",")}}`,
  "many changes": (size) => changes(many(size / 40, (n) => `{"address":"a.b${n}"}`).join(",")),
  "one change many times": (size) =>
    changes(`{"address":"a.b",${many(size / 50, (n) => `"change":{"before":{"a":${n}}}`).join(",")}}`),
  "one side many times": (size) =>
    changes(`{"address":"a.b","change":{${many(size / 20, (n) => `"before":{"a":${n}}`).join(",")}}}`),
  "line ends before invalid JSON": (size) => `${"\n".repeat(size)}x`,
  "replacement characters": (size) => `{"plan":"${"\uFFFD".repeat(size / 3)}`,
  ...Object.fromEntries(
    Object.entries(ONCE_QUADRATIC).map(([name, text]): [string, (size: number) => string] => [
      `a value that is ${name}`,
      (size) =>
        changes(
          `{"address":"a.b","change":{"actions":["update"],"before":${JSON.stringify({ x: text(size) })}}}`,
        ),
    ]),
  ),
};

test.each(Object.entries(FAMILIES))("reading time of a submission grows linearly for %s", async (_, make) => {
  expect(await growthOf({ make, work: read, size: 60_000 })).toBeLessThan(STEEPEST);
});
