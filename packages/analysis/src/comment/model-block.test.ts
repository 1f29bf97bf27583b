import { describe, expect, test } from "bun:test";

import type { Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import fc from "fast-check";

import { result } from "../narrative/analysis.fixture.ts";
import { bare, DB, PLAN, REALISTIC } from "../narrative/answers.fixture.ts";
import { HOSTILE_ANSWERS } from "../narrative/hostile-answers.fixture.ts";
import { hostileText, rendered, whatActs } from "../narrative/hostile.fixture.ts";
import { tame } from "../narrative/markdown.ts";
import { narrativePrompt } from "../narrative/prompt.ts";
import { readAnswer } from "../narrative/read-answer.ts";
import { templateNarrative } from "../narrative/template.ts";
import { codeQualityReport } from "../report/code-quality.ts";
import { junitReport } from "../report/junit.ts";
import { markdownReport } from "../report/markdown.ts";
import { sarifReport } from "../report/sarif.ts";
import { tableReport } from "../report/table.ts";
import { modelBlock } from "./model-block.ts";
import { planComment } from "./plan-comment.ts";
import { explainReply } from "./replies.ts";

const CONTEXT = { project: { name: "web" } };
const GATE = { fail_on: "high", passed: false } as const;
const TEMPLATE: Narrative = { text: templateNarrative(PLAN), source: "template" };
const { known } = narrativePrompt(PLAN, CONTEXT);
const BLOCK = /\n\n<details><summary>Written by a model; levels come from rules<\/summary>[^]*?<\/details>/gu;

/** Returns the narrative of a result whose model gave this answer. */
function narrativeOf(answer: string): Narrative {
  const read = readAnswer(answer, known);
  return read ? { ...read, source: "byok", model: "gpt-x" } : TEMPLATE;
}

/** Returns everything that people read about a plan, by where they read it. */
function shown(narrative: Narrative): Record<string, string> {
  const whole = result({ ...PLAN, narrative, gate: GATE });
  const shown = { analysis: PLAN, narrative, gate: GATE, context: CONTEXT, limit: 65_536 };
  return {
    comment: planComment({ ...shown, acceptsCommands: true })
      .map(({ body }) => body)
      .join("\n"),
    "comment at GitHub": planComment(shown)
      .map(({ body }) => body)
      .join("\n"),
    report: markdownReport(whole, CONTEXT),
    explanation: explainReply([{ result: whole }], "aws_db_instance.orders"),
    table: tableReport(whole, { width: 100 }),
    SARIF: sarifReport(whole, CONTEXT),
    JUnit: junitReport(whole, CONTEXT),
    "Code Quality": codeQualityReport(whole, CONTEXT),
  };
}

const BY_RULES = shown(TEMPLATE);

function withoutBlock(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replaceAll(BLOCK, "")]));
}

describe("a realistic answer is shown completely and only in the block", () => {
  test.each(REALISTIC.map((given) => [given.summary, given] as const))("%s", (_, given) => {
    const narrative = narrativeOf(JSON.stringify(given));
    const { summary, findings } = narrative.answer ?? { findings: [] };
    const read = [summary, ...findings.flatMap(({ explanation, check }) => [explanation, check])];
    const wanted = [
      given.summary,
      ...given.findings.flatMap(({ explanation, check }) => [explanation, check]),
    ];
    expect(read.filter(Boolean).map((text = "") => bare(text))).toEqual(
      wanted.filter(Boolean).map((text = "") => bare(text)),
    );
    const texts = shown(narrative);
    for (const text of [texts["comment"], texts["report"]]) {
      const [block = "", ...more] = text?.match(BLOCK) ?? [];
      expect(more).toEqual([]);
      for (const words of read.filter(Boolean)) expect(block).toContain(words ?? "");
    }
    expect(withoutBlock(texts)).toEqual(BY_RULES);
  });
});

describe("no text of a hostile answer leaves the block", () => {
  test.each(Object.entries(HOSTILE_ANSWERS))("%s", (_, answer) => {
    const narrative = narrativeOf(answer);
    const texts = shown(narrative);
    expect(withoutBlock(texts)).toEqual(BY_RULES);
    for (const text of [texts["comment"], texts["report"], texts["explanation"], narrative.text])
      expect(whatActs(rendered(text ?? ""))).toBeUndefined();
    for (const { explanation } of narrative.answer?.findings ?? []) {
      expect(whatActs(rendered(explanation))).toBeUndefined();
      expect(explanation).not.toMatch(/https?:|www\.|<[a-z/!?]|AKIA|hunter2|[\u200B\u202E\u2066\uFEFF]/iu);
    }
  });

  test("in any combination", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (one, other) => {
        const answer = { summary: one, findings: [{ id: DB, explanation: other, check: one }] };
        const narrative = narrativeOf(JSON.stringify(answer));
        const texts = shown({ ...narrative, model: one });
        expect(withoutBlock(texts)).toEqual(BY_RULES);
        expect(whatActs(rendered(texts["comment"] ?? ""))).toBeUndefined();
        expect(tame(narrative.text)).toBe(narrative.text);
      }),
      { numRuns: 40 },
    );
  });
});

test("a hostile answer is dropped when no part of it may be shown", () => {
  const dropped = Object.entries(HOSTILE_ANSWERS).filter(([, answer]) => narrativeOf(answer) === TEMPLATE);
  expect(dropped.map(([name]) => name)).toMatchInlineSnapshot(`
    [
      "a resource that doesn't exist",
      "another instance of a resource",
      "a module that doesn't exist",
      "an identifier that doesn't exist",
      "a role that doesn't exist",
      "a subscription that doesn't exist",
      "an image",
      "a link around an image",
      "a secret",
      "a secret with characters without width",
      "an assigned secret",
      "a fence in a longer fence",
      "our marker",
      "half a character",
      "an id that doesn't exist",
      "no JSON",
      "JSON with text behind it",
      "JSON with text before it",
      "two documents",
      "another shape",
      "a member too many",
      "a prototype",
      "texts that are too long",
      "more findings than were asked for",
      "a megabyte",
      "a megabyte of brackets",
      "deep nesting",
      "nothing",
      "empty texts",
      "comments in JSON",
      "JSON in a text of JSON",
      "a list of answers",
      "a member twice",
      "texts that aren't texts",
      "a prototype of a finding",
      "an id with another end",
      "a fence that ends early",
    ]
  `);
});

test("text of a model from before structured answers is in the block", () => {
  const old: Narrative = {
    text: "It is **critical**.\n\n- Look at `a_b.c`.",
    source: "platform",
    model: "m",
  };
  const [section] = modelBlock(old);
  expect(section?.lines).toEqual(["It is **critical**.", "", "- Look at `a_b.c`."]);
  expect(withoutBlock(shown(old))).toEqual(BY_RULES);
});

test("neither unstructured text nor a model's name ends the block", () => {
  const hostile: Narrative = {
    text: "Done.\n</details>\n# x `</details>`",
    source: "byok",
    model: "</details>",
  };
  expect(withoutBlock(shown(hostile))).toEqual(BY_RULES);
});

test("an explanation of a resource includes only what the model wrote about it", () => {
  const narrative = narrativeOf(JSON.stringify(REALISTIC.at(-1)));
  const reply = explainReply([{ result: result({ ...PLAN, narrative }) }], "aws_sqs_queue.jobs[0]");
  expect(reply.match(BLOCK)).toEqual([
    "\n\n<details><summary>Written by a model; levels come from rules</summary>\n\nModel: `gpt-x`\n\n" +
      "- This one needs a second pair of eyes before the apply, possibly from the on-call engineer. Check: Confirm it in the change ticket.\n\n</details>",
  ]);
});

test("a block too large for a comment continues in its own fold in the next part", () => {
  const text = Array.from({ length: 40 }, () => `- ${"word ".repeat(200)}`).join("\n");
  const narrative: Narrative = { text, source: "platform" };
  const parts = planComment({ analysis: PLAN, narrative, context: CONTEXT, limit: 16_384 });
  expect(parts.length).toBeGreaterThan(1);
  for (const { body } of parts) expect(body.replaceAll(BLOCK, "")).not.toContain("word");
});
