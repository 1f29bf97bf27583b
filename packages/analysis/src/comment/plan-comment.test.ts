import { describe, expect, test } from "bun:test";

import type { Analysis, Narrative, PlannedDrift } from "@leeway/shared/contracts/analyzer/analysis";
import fc from "fast-check";

import { analysis, ANALYSES, drift, finding, noise } from "../narrative/analysis.fixture.ts";
import { hostileText, rendered, whatActs } from "../narrative/hostile.fixture.ts";
import { templateNarrative } from "../narrative/template.ts";
import { formerMarkersOf, markerOf } from "./marker.ts";
import { COMMENT_LIMITS, deservesComment, MAX_PARTS, planComment, type CommentPart } from "./plan-comment.ts";

const MIN_LIMIT = 16_384;

function comment(
  one: Analysis,
  {
    limit = COMMENT_LIMITS.github,
    narrative,
    acceptsCommands = true,
    offersIgnore = true,
    ...more
  }: Partial<Parameters<typeof planComment>[0]> = {},
): CommentPart[] {
  const context = { project: { name: "web" } };
  return planComment({
    analysis: one,
    narrative: narrative ?? { text: templateNarrative(one), source: "template" },
    context,
    limit,
    gate: { fail_on: "high", passed: false },
    acceptsCommands,
    offersIgnore,
    ...more,
  });
}

const rowsOf = (parts: readonly CommentPart[]): string[] =>
  parts.flatMap(({ body }) => body.split("\n").filter((line) => /^\| (?:\*\*|`)/u.test(line)));

const MANY = analysis({
  findings: Array.from({ length: 300 }, (_, index) =>
    finding({
      address: `module.${"long_".repeat(30)}.aws_db_instance.n${index}`,
      message: `${index} ${"word ".repeat(80)}`,
    }),
  ),
  drift: Array.from({ length: 200 }, (_, index) =>
    drift({
      address: `aws_s3_bucket.b${index}`,
      fingerprint: `d1_${index}`,
      risk_level: "low",
      risk_flags: [{ rule: "R23", flag: "update", evidence: [], message: `Changes ${index}` }],
    }),
  ),
  noise: Array.from({ length: 100 }, () => noise()),
});

describe("a marker", () => {
  test.each([
    ["is the project's name", { name: "web", dir: "infra", workspace: "eu" }, "<!-- leeway:plan:web -->"],
    [
      "is otherwise the directory and workspace",
      { dir: "infra/prod", workspace: "eu" },
      "<!-- leeway:plan:infra/prod:eu -->",
    ],
    ["differs for a name with a colon", { name: "infra/prod:eu" }, "<!-- leeway:plan:infra/prod%3Aeu -->"],
    ["exists without a project", undefined, "<!-- leeway:plan:.:default -->"],
    ["names the default workspace if none is set", { dir: "infra" }, "<!-- leeway:plan:infra:default -->"],
    ["names the root if no directory is set", { workspace: "eu" }, "<!-- leeway:plan:.:eu -->"],
    [
      "can't be ended by a project name",
      { name: "a --> b --!> <!--" },
      "<!-- leeway:plan:a%20-%2D%3E%20b%20-%2D!%3E%20%3C!-%2D -->",
    ],
    [
      "isn't the marker of another project's part",
      { name: "web part 2" },
      "<!-- leeway:plan:web%20part%202 -->",
    ],
  ])("%s", (_fact, project, expected) => {
    expect(markerOf(project)).toBe(expected);
  });

  test.each([
    ["of the default workspace", { dir: "infra", workspace: "default" }, ["infra:"]],
    ["of a directory without a workspace", { dir: "infra" }, ["infra:"]],
    ["of the root", { dir: ".", workspace: "eu" }, [":eu"]],
    ["without directory and workspace", undefined, [":", ":default", ".:"]],
    ["of another workspace", { dir: "infra", workspace: "eu" }, []],
    ["of a name", { name: "web", workspace: "default" }, []],
  ])("%s finds older comments by its former markers", (_place, project, keys) => {
    expect(formerMarkersOf(project)).toEqual(keys.map((key) => `<!-- leeway:plan:${key} -->`));
  });

  test("is a single HTML comment on one line for any name", () => {
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

  test("differs between projects", () => {
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
  test("starts with its marker and includes the verdict, facts, table, checks and folds", () => {
    const [part, ...others] = comment(ANALYSES["dangerous"] ?? analysis());
    expect(others).toEqual([]);
    expect(part?.marker).toBe("<!-- leeway:plan:web -->");
    expect(part?.body).toStartWith(`${part?.marker}\n`);
    for (const words of [
      "### Leeway: critical risk in `web`\n",
      "Plan: 2 to create, 3 to update, 1 to replace and 1 to delete · **gate failed** (limit high)",
      "| **critical** | `aws_db_instance.orders` |",
      "**Before you apply**\n- ",
      "<details><summary>1 change without notable risk</summary>",
      "<details><summary>Noise: 2 kinds in 3 resources</summary>",
      "`/leeway fix pn1_abcdefghijklmnopqrstuvwxyz` or `/leeway ignore pn1_abcdefghijklmnopqrstuvwxyz`",
      "`/leeway help` lists commands.",
    ])
      expect(part?.body).toContain(words);
  });

  test("suggests the command line when comment commands don't work", () => {
    const [part] = comment(ANALYSES["dangerous"] ?? analysis(), { acceptsCommands: false });
    expect(part?.body).not.toContain("/leeway");
    expect(part?.body).toContain("| `leeway fix pn1_abcdefghijklmnopqrstuvwxyz` |");
  });

  test("is a single line for a plan without changes", () => {
    const [part] = comment(analysis({ summary: { ...analysis().summary, no_op: 9 } }), {
      acceptsCommands: false,
    });
    expect(part?.body).toBe(
      "<!-- leeway:plan:web -->\n\n**Leeway: no changes in `web`** · **gate failed** (limit high)",
    );
  });

  test("names the commit, the previous commit, the profile and the report", () => {
    const [sha, before] = ["a".repeat(40), "b".repeat(40)];
    const [part] = comment(analysis({ findings: [finding()], risk_profile: "standard" }), {
      context: { commit_sha: sha },
      previousCommit: before,
      linksCommits: true,
      reportUrl: "https://leeway.example/orgs/o/plans/1",
    });
    expect(part?.body).toContain(
      `profile standard · commit ${sha} (was ${before}) · [report](https://leeway.example/orgs/o/plans/1)`,
    );
    const [other] = comment(analysis({ findings: [finding()] }), { context: { commit_sha: "@evil" } });
    expect(other?.body).toContain("commit `@evil`");
  });

  test("folds the addresses of a finding for many resources", () => {
    const findings = ["b", "a[10]", "a[2]"].map((address) => finding({ address, message: "Opens port 22" }));
    expect(comment(analysis({ findings }))[0]?.body).toContain(
      "| **critical** | <details><summary>3 resources</summary>`a[2]`<br>`a[10]`<br>`b`</details> | Opens port 22 | R01 |",
    );
  });

  test("shows ten rows and folds the rest", () => {
    const findings = Array.from({ length: 14 }, (_, index) =>
      finding({ address: `a_b.c${index}`, message: `Opens port ${index}` }),
    );
    const [open, fold] = (comment(analysis({ findings }))[0]?.body ?? "").split(
      "<details><summary>4 more notable changes</summary>",
    );
    expect(open?.match(/^\| \*\*/gmu)).toHaveLength(10);
    expect(fold?.match(/^\| \*\*/gmu)).toHaveLength(4);
  });

  test.each<[string, Partial<PlannedDrift>, string]>([
    [
      "a change that the plan reverts",
      {
        restored: true,
        risk_flags: [
          { rule: "R09", flag: "internet_exposure", evidence: [], message: "Opens port 22 to ::/0" },
        ],
      },
      "Changed outside code: opens port 22 to `::/0`; this plan changes it back | R09 |",
    ],
    [
      "a deleted resource that the plan creates again",
      {
        kind: "missing",
        restored: true,
        risk_flags: [{ rule: "R18", flag: "destroy", evidence: [], message: "Deleted outside code" }],
      },
      "Deleted outside code; this plan creates it again | R18 |",
    ],
    [
      "the changed attributes if no rule applies",
      { risk_flags: [] },
      "Changed outside code: `ingress[0].cidr_blocks` |",
    ],
  ])("describes drift: %s", (_what, changes, words) => {
    expect(comment(analysis({ drift: [drift(changes)] }))[0]?.body).toContain(words);
  });

  test.each([
    ["critical risk", analysis({ findings: [finding()], drift: [drift()] })],
    ["no risk in its changes, medium drift", analysis({ drift: [drift()] })],
    ["low risk, medium drift", analysis({ findings: [finding({ risk_level: "low" })], drift: [drift()] })],
    ["the plan failed", analysis({ errored: true })],
    ["the plan failed, critical risk", analysis({ errored: true, findings: [finding()] })],
  ])("starts with its verdict: %s", (words, one) => {
    expect(comment(one)[0]?.body).toContain(`### Leeway: ${words} in \`web\`\n`);
  });

  test("explains why there is no text of a model", () => {
    const narrative: Narrative = { text: "x", source: "template", note: "no model is configured" };
    expect(comment(analysis({ findings: [finding()] }), { narrative })[0]?.body).toContain(
      "No model wrote an explanation: no model is configured.",
    );
  });

  test("shows three warnings", () => {
    const [part] = comment(analysis({ findings: [finding()], warnings: ["a", "b", "c", "d", "e"] }));
    expect(part?.body).toContain("> a.\n> b.\n> c.\n> 2 more warnings.");
  });

  test("leaves out ignored noise and drift that is only noise", () => {
    const { fingerprint, confidence } = noise();
    const muted = analysis({
      noise: [
        noise({ muted: true }),
        noise({ fingerprint: `pn1_${"b".repeat(26)}`, path_pattern: "min_size" }),
      ],
      drift: [drift({ address: "a_b.c", noise: { fingerprint, class: "autoscaler_owned", confidence } })],
    });
    const [part] = comment(muted);
    expect(part?.body).toContain("Noise: 1 kind in 1 resource");
    expect(part?.body).toContain("min_size");
    expect(part?.body).not.toContain(fingerprint);
    expect(part?.body).not.toContain("a_b.c");
  });

  test("is the same for the same analysis", () => {
    for (const one of Object.values(ANALYSES)) expect(comment(structuredClone(one))).toEqual(comment(one));
  });

  test("has one part if it fits the host's limit", () => {
    expect(comment(MANY, { limit: COMMENT_LIMITS.gitlab })).toHaveLength(1);
  });

  test("is split into parts above the limit without losing rows", () => {
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

  test("repeats the table header and closes folds in each part", () => {
    for (const { body } of comment(MANY)) {
      const html = rendered(body);
      expect(html.match(/<details>/gu)?.length).toBe(html.match(/<\/details>/gu)?.length);
      expect(html.match(/<thead>/gu)?.length).toBeGreaterThan(0);
      expect(html).not.toContain("<p>|");
    }
  });

  test("reports the number of omitted rows", () => {
    const findings = Array.from({ length: 311 }, (_, index) => finding({ message: `Opens port ${index}` }));
    expect(comment(analysis({ findings }))[0]?.body).toContain("1 more row in the report.");
  });

  test("reports an omission when it needs more than the maximum number of parts", () => {
    const findings = Array.from({ length: 300 }, (_, index) =>
      finding({ address: "`|".repeat(150) + index, message: `${index}${"@a b ".repeat(200)}` }),
    );
    const parts = comment(analysis({ findings }), { limit: MIN_LIMIT });
    expect(parts).toHaveLength(MAX_PARTS);
    expect(parts.at(-1)?.body).toContain("This comment is at its limit");
    for (const { body } of parts) expect(body.length).toBeLessThanOrEqual(MIN_LIMIT);
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

describe("hostile text", () => {
  test("has no effect in a comment, whose parts stay within the limit", () => {
    fc.assert(
      fc.property(
        hostileAnalysis,
        hostileText,
        fc.integer({ min: MIN_LIMIT, max: 70_000 }),
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
] as const)("a plan with %s risk and threshold %s gets a comment: %p", (risk_level, least, expected) => {
  expect(deservesComment(analysis({ risk_level }), least)).toBe(expected);
  expect(deservesComment(analysis({ drift: [drift({ risk_level })] }), least)).toBe(expected);
});
