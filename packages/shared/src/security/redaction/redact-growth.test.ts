import { describe, expect, test } from "bun:test";

import { growthOf, repeated, STEEPEST } from "../../testing/growth.fixture.ts";
import { HOSTILE_PARTS, ONCE_QUADRATIC } from "./hostile-parts.fixture.ts";
import { redact, REDACTED, redactText } from "./redact.ts";
import { CANARY } from "./secrets.fixture.ts";

/** Contains a trigger of every kind of search. */
const SIGNS = `kind: Secret\ntoken eyJ :// = bearer basic -u </ identified PRIVATE KEY @tcp( login value `;

/** Redacts a text on its own, after a secret's name, after every trigger, and as a member and its name. */
function redactInEachPlace(text: string): void {
  redactText(text);
  redactText(`password=${text}`);
  redactText(SIGNS + text);
  redact({ [text]: [text] });
}

describe("redaction time grows linearly for", () => {
  test.each(HOSTILE_PARTS.map((part) => [part]))("%j repeated", async (part) => {
    const make = (size: number): string => repeated(part, size);
    expect(await growthOf({ make, work: redactInEachPlace, size: 16 << 10 })).toBeLessThan(STEEPEST);
  });

  test.each(Object.entries(ONCE_QUADRATIC))("%s", async (_, make) => {
    expect(await growthOf({ make, work: redactInEachPlace, size: 16 << 10 })).toBeLessThan(STEEPEST);
  });
});

test("a text of more than 1,048,576 characters is hidden completely, with the reason", () => {
  const longest = "a ".repeat(1 << 19);
  expect(redactText(longest)).toBe(longest);
  const hidden = redactText(`${longest}a`);
  expect(hidden).toBe("[redacted]: the text exceeds 1048576 characters");
  expect(redactText(hidden)).toBe(hidden);
  expect(redact({ a: `${longest}${CANARY}` }).redactions).toEqual(["/a"]);
});

test("a value is hidden to its end, whatever its length", () => {
  const long = `${CANARY} `.repeat(10_000);
  expect(redactText(`password="${long}" port=1`)).toBe(`password="${REDACTED}" port=1`);
  expect(redactText(`{"secrets":["${long}"],"port":1}`)).toBe(`{"secrets":"${REDACTED}","port":1}`);
});
