import { describe, expect, test } from "bun:test";

import type { Analysis, Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import fc from "fast-check";

import { analysis, ANALYSES, drift, finding, noise } from "../narrative/analysis.fixture.ts";
import { hostileText, rendered, whatActs } from "../narrative/hostile.fixture.ts";
import { templateNarrative } from "../narrative/template.ts";
import { formerMarkersOf, markerOf } from "./marker.ts";
import { COMMENT_LIMITS, deservesComment, planComment } from "./plan-comment.ts";
import { MOST_PARTS, type CommentPart } from "./split.ts";

const LEAST_LIMIT = 16_384;

function comment(
  one: Analysis,
  {
    limit = COMMENT_LIMITS.github,
    narrative,
    isHeard = true,
  }: { limit?: number; narrative?: Narrative; isHeard?: boolean } = {},
): CommentPart[] {
  const context = { project: { name: "web" } };
  return planComment({
    analysis: one,
    narrative: narrative ?? { text: templateNarrative(one, context), source: "template" },
    context,
    limit,
    gate: { fail_on: "high", passed: false },
    isHeard,
  });
}

const rowsOf = (parts: readonly CommentPart[]): string[] =>
  parts.flatMap(({ body }) => body.split("\n").filter((line) => /^\| (?:\*\*|noise|`)/u.test(line)));

const MANY = analysis({
  findings: Array.from({ length: 300 }, (_, index) =>
    finding({
      address: `module.${"long_".repeat(30)}.aws_db_instance.n${index}`,
      message: "word ".repeat(80),
    }),
  ),
  drift: Array.from({ length: 200 }, (_, index) =>
    drift({ address: `aws_s3_bucket.b${index}`, fingerprint: `d1_${index}` }),
  ),
  noise: Array.from({ length: 100 }, () => noise()),
});

describe("a marker", () => {
  test.each([
    ["is the project's name", { name: "web", dir: "infra", workspace: "eu" }, "<!-- leeway:plan:web -->"],
    [
      "is else directory and workspace",
      { dir: "infra/prod", workspace: "eu" },
      "<!-- leeway:plan:infra/prod:eu -->",
    ],
    ["differs for a name with a colon", { name: "infra/prod:eu" }, "<!-- leeway:plan:infra/prod%3Aeu -->"],
    ["is there without a project", undefined, "<!-- leeway:plan:.:default -->"],
    [
      "names the default workspace where none is told",
      { dir: "infra" },
      "<!-- leeway:plan:infra:default -->",
    ],
    ["names the root where no directory is told", { workspace: "eu" }, "<!-- leeway:plan:.:eu -->"],
    [
      "can't be ended by a name",
      { name: "a --> b --!> <!--" },
      "<!-- leeway:plan:a%20-%2D%3E%20b%20-%2D!%3E%20%3C!-%2D -->",
    ],
    ["isn't that of another one's part", { name: "web part 2" }, "<!-- leeway:plan:web%20part%202 -->"],
  ])("%s", (_fact, project, expected) => {
    expect(markerOf(project)).toBe(expected);
  });

  test.each([
    ["of the default workspace", { dir: "infra", workspace: "default" }, ["infra:"]],
    ["of a directory alone", { dir: "infra" }, ["infra:"]],
    ["of the root", { dir: ".", workspace: "eu" }, [":eu"]],
    ["of nothing that is told", undefined, [":", ":default", ".:"]],
    ["of another workspace", { dir: "infra", workspace: "eu" }, []],
    ["of a name", { name: "web", workspace: "default" }, []],
  ])("%s had others, by which older comments are found", (_place, project, keys) => {
    expect(formerMarkersOf(project)).toEqual(keys.map((key) => `<!-- leeway:plan:${key} -->`));
  });

  test("is one HTML comment in one line, whatever the name", () => {
    fc.assert(
      fc.property(
        fc.oneof(hostileText, fc.string({ unit: "binary", minLength: 400, maxLength: 1_000 })),
        (name) => {
          const marker = markerOf({ name });
          expect(marker).toMatch(/^<!-- leeway:plan:[^\s<>]* -->$/u);
          expect(marker.slice(4, -3)).not.toContain("--");
          expect(marker.length).toBeLessThan(480);
        },
      ),
    );
  });

  test("is no other project's", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (one, other) => {
        fc.pre(one !== "" && one.toWellFormed() !== other.toWellFormed());
        expect(markerOf({ name: one })).not.toBe(markerOf({ name: other }));
        if (one !== "." && one !== "default")
          expect(markerOf({ dir: one })).not.toBe(markerOf({ workspace: one }));
        expect(markerOf({ name: one })).not.toBe(markerOf({ dir: one }));
      }),
    );
  });
});

describe("a plan's comment", () => {
  test("has its marker as its first line, and tells level, gate, findings, drift and noise", () => {
    const [part, ...others] = comment(ANALYSES["dangerous"] ?? analysis());
    expect(others).toEqual([]);
    expect(part?.marker).toBe("<!-- leeway:plan:web -->");
    expect(part?.body).toStartWith(`${part?.marker}\n`);
    for (const words of [
      "### Leeway, `web`: **critical** risk",
      "gate **failed** (fails on high or worse)",
      "| **critical** | `aws_db_instance.orders` | replace | R01 |",
      "<details><summary>Drift: 2 resources changed outside</summary>",
      "<details><summary>Noise: 2 kinds in 3 places</summary>",
      "`/leeway fix pn1_abcdefghijklmnopqrstuvwxyz` or `/leeway ignore pn1_abcdefghijklmnopqrstuvwxyz`",
      "All of this is by rules alone.",
    ])
      expect(part?.body).toContain(words);
  });

  test("offers no command where none is heard, but what the CLI does", () => {
    const [part] = comment(ANALYSES["dangerous"] ?? analysis(), { isHeard: false });
    expect(part?.body).not.toContain("/leeway");
    expect(part?.body).toContain("| `leeway fix pn1_abcdefghijklmnopqrstuvwxyz` |");
    expect(part?.body).toContain("`leeway fix pn1_abcdefghijklmnopqrstuvwxyz` shows the change.");
  });

  test.each([
    ["no risk found", analysis()],
    ["**critical** risk", analysis({ findings: [finding()], drift: [drift()] })],
    ["no risk in its changes, **medium** drift", analysis({ drift: [drift()] })],
    [
      "**low** risk, **medium** drift",
      analysis({ findings: [finding({ risk_level: "low" })], drift: [drift()] }),
    ],
    ["the plan failed", analysis({ errored: true })],
    ["the plan failed, **critical** risk", analysis({ errored: true, findings: [finding()] })],
  ])("is headed by how bad it is: %s", (words, one) => {
    expect(comment(one)[0]?.body).toContain(`### Leeway, \`web\`: ${words}\n`);
  });

  test.each([
    ["platform", "The text is by Leeway's model `gpt-x`"],
    ["byok", "The text is by your organization's model `gpt-x`"],
  ] as const)("tells that a model of %s wrote", (source, words) => {
    const narrative = { text: "Critical.", source, model: "gpt-x" };
    expect(comment(analysis({ warnings: ["old format"] }), { narrative })[0]?.body).toContain(words);
    expect(comment(analysis({ warnings: ["old format"] }), { narrative })[0]?.body).toContain(
      "- old format.",
    );
  });

  test("tells why no model wrote", () => {
    const narrative: Narrative = { text: "x", source: "template", note: "no model is configured" };
    expect(comment(analysis(), { narrative })[0]?.body).toContain(
      "All of this is by rules alone: no model is configured.",
    );
  });

  test("leaves out noise that is ignored, and drift that is nothing else", () => {
    const { fingerprint, confidence } = noise();
    const muted = analysis({
      noise: [
        noise({ muted: true }),
        noise({ fingerprint: `pn1_${"b".repeat(26)}`, path_pattern: "min_size" }),
      ],
      drift: [drift({ address: "a_b.c", noise: { fingerprint, class: "autoscaler_owned", confidence } })],
    });
    const [part] = comment(muted);
    expect(part?.body).toContain("Noise: 1 kind in 1 place");
    expect(part?.body).toContain("min_size");
    expect(part?.body).not.toContain(fingerprint);
    expect(part?.body).not.toContain("a_b.c");
  });

  test("is the same for the same analysis, whatever commit it is of", () => {
    for (const one of Object.values(ANALYSES)) {
      const narrative: Narrative = { text: "x", source: "template" };
      const of = (commit_sha: string): CommentPart[] =>
        planComment({ analysis: structuredClone(one), narrative, context: { commit_sha }, limit: 65_536 });
      expect(of("aaaaaaa")).toEqual(of("bbbbbbb"));
    }
  });

  test("is one part where the host takes it", () => {
    expect(comment(MANY, { limit: COMMENT_LIMITS.gitlab })).toHaveLength(1);
  });

  test("is divided where the host doesn't, and loses nothing", () => {
    const whole = rowsOf(comment(MANY, { limit: COMMENT_LIMITS.gitlab }));
    const parts = comment(MANY);
    expect(whole).toHaveLength(600);
    expect(rowsOf(parts)).toEqual(whole);
    expect(parts.length).toBeGreaterThan(2);
    for (const [index, { marker, body }] of parts.entries()) {
      expect(marker).toBe(
        index === 0 ? "<!-- leeway:plan:web -->" : `<!-- leeway:plan:web part ${index + 1} -->`,
      );
      expect(body).toStartWith(`${marker}\n`);
      expect(body.length).toBeLessThanOrEqual(COMMENT_LIMITS.github);
    }
  });

  test("repeats the table's head, and opens and closes what is folded, in each part", () => {
    for (const { body } of comment(MANY)) {
      const html = rendered(body);
      expect(html.match(/<details>/gu)?.length).toBe(html.match(/<\/details>/gu)?.length);
      expect(html.match(/<thead>/gu)?.length).toBeGreaterThan(0);
      expect(html).not.toContain("<p>|");
    }
  });

  test("tells how many rows it leaves out", () => {
    const findings = Array.from({ length: 301 }, () => finding());
    expect(comment(analysis({ findings }))[0]?.body).toContain(
      "1 more finding: the job's result has them all.",
    );
  });

  test("says so when it is longer than any number of parts", () => {
    const findings = Array.from({ length: 300 }, (_, index) =>
      finding({ address: "`|".repeat(150) + index, message: "@a b ".repeat(200) }),
    );
    const parts = comment(analysis({ findings }), { limit: LEAST_LIMIT });
    expect(parts).toHaveLength(MOST_PARTS);
    expect(parts.at(-1)?.body).toContain("The rest is left out here");
    for (const { body } of parts) expect(body.length).toBeLessThanOrEqual(LEAST_LIMIT);
  });
});

const hostileAnalysis = fc
  .record({ texts: fc.array(hostileText, { minLength: 1, maxLength: 40 }), long: fc.boolean() })
  .map(({ texts, long }) => {
    const at = (index: number): string => (texts[index % texts.length] ?? "").repeat(long ? 40 : 1);
    return analysis({
      warnings: [at(0)],
      findings: texts.map((text, index) =>
        finding({ address: at(index), message: at(index + 1), actions: [text], rule: text, flag: text }),
      ),
      drift: texts.map((text, index) =>
        drift({ address: at(index), fingerprint: text, attribute_changes: [] }),
      ),
      noise: texts.map((text, index) => noise({ resource_type: text, path_pattern: at(index) })),
    });
  });

describe("whatever comes from outside", () => {
  test("a comment does nothing, and its parts are within the limit", () => {
    fc.assert(
      fc.property(
        hostileAnalysis,
        hostileText,
        fc.integer({ min: LEAST_LIMIT, max: 70_000 }),
        (one, text, limit) => {
          const narrative: Narrative = { text, source: "platform", model: text, note: text };
          const context = { project: { name: text } };
          const parts = planComment({ analysis: one, narrative, context, limit });
          expect(new Set(parts.map(({ marker }) => marker)).size).toBe(parts.length);
          for (const { body } of parts) {
            expect(body.length).toBeLessThanOrEqual(limit);
            expect(body).not.toMatch(/^\s*\//mu);
            const html = rendered(body);
            expect(html.match(/<details>/gu)?.length).toBe(html.match(/<\/details>/gu)?.length);
            expect(whatActs(html)).toBeUndefined();
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

test.each([
  ["critical", "high", true],
  ["high", "high", true],
  ["medium", "high", false],
  ["none", "low", false],
  ["none", "none", true],
] as const)("a plan of %s risk and a threshold of %s: %p", (risk_level, least, expected) => {
  expect(deservesComment(analysis({ risk_level }), least)).toBe(expected);
  expect(deservesComment(analysis({ drift: [drift({ risk_level })] }), least)).toBe(expected);
});
