import { expect, test } from "bun:test";

import { growthOf, repeated, STEEPEST } from "@leeway/shared/testing/growth.fixture";
import { HOSTILE_PARTS, ONCE_QUADRATIC } from "@leeway/shared/security/redaction/hostile-parts.fixture";

import { modelBlock } from "../comment/model-block.ts";
import { about, PLAN } from "./answers.fixture.ts";
import { HOSTILE } from "./hostile.fixture.ts";
import { narrativePrompt } from "./prompt.ts";
import { readAnswer } from "./read-answer.ts";

const { known } = narrativePrompt(PLAN, {});

/** Reads and shows an answer in which each text has the same words, and shows words of an older version. */
function readWhole(text: string): void {
  readAnswer(JSON.stringify(about(text, text, text)), known);
  readAnswer(text, known);
  modelBlock({ source: "byok", model: text, text });
}

const PARTS = new Set([...HOSTILE, ...HOSTILE_PARTS, "a.b ", "](", "[](", "module.a.", "arn:aws:", "//a.b "]);
const FAMILIES: Record<string, (size: number) => string> = {
  ...Object.fromEntries(
    Array.from(PARTS, (part) => [JSON.stringify(part), (size: number) => repeated(part, size)]),
  ),
  ...ONCE_QUADRATIC,
  "brackets in brackets": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "links in links": (size) => "[a".repeat(size / 6) + "](b)".repeat(size / 6),
  "code spans of growing length": (size) => {
    let text = "";
    for (let length = 1; text.length < size; length += 1) text += `${"`".repeat(length)}a `;
    return text;
  },
};

test.each(Object.entries(FAMILIES))("a model's answer is read in linear time, for %s", async (_, make) => {
  expect(await growthOf({ make, work: readWhole, size: 4_000 })).toBeLessThan(STEEPEST);
});
