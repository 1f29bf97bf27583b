import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { analysis, ANALYSES, drift, finding, noise } from "./analysis.fixture.ts";
import { hostileText, rendered, whatActs } from "./hostile.fixture.ts";
import { templateNarrative } from "./template.ts";

const NONE = analysis().summary;

describe("the template's words", () => {
  test.each([
    ["a plan without changes", analysis(), "This plan changes no resources. No rule found a risk in it."],
    [
      "one change",
      analysis({ summary: { ...NONE, create: 1 } }),
      "This plan creates 1 resource. No rule found a risk in it.",
    ],
    [
      "several",
      analysis({ summary: { ...NONE, create: 1, update: 2, import: 3 } }),
      "This plan creates 1, updates 2 and imports 3 resources.",
    ],
    [
      "what only gets another address",
      analysis({ summary: { ...NONE, move: 2 } }),
      "This plan moves 2 resources.",
    ],
    [
      "what it does nothing to",
      analysis({ summary: { ...NONE, no_op: 9, read: 2 } }),
      "This plan changes no resources.",
    ],
    ["how bad it is", analysis({ findings: [finding()] }), "Its risk is **critical** (1 critical)."],
    ["that the plan failed", analysis({ errored: true }), "This plan failed: what it would do isn't known."],
    [
      "what a plan would do that failed on its way",
      analysis({ errored: true, summary: { ...NONE, delete: 1 }, findings: [finding()] }),
      "As far as it got, it deletes 1 resource. Its risk is **critical** (1 critical).",
    ],
    [
      "what is dangerous and why",
      analysis({ findings: [finding()] }),
      "- **critical** (R01): `aws_db_instance.orders` holds data and is replaced. What it holds is lost with it.",
    ],
    [
      "what to check",
      analysis({ findings: [finding()] }),
      "#### Before you apply\n- Make sure that its data is backed up elsewhere",
    ],
    [
      "why rights that change matter, and not that they do once more",
      analysis({
        findings: [finding({ rule: "R12", flag: "iam_change", message: "This changes who may do what." })],
      }),
      "This changes who may do what. Somebody may do more than before, or no longer what they have to.",
    ],
    [
      "what is drift",
      analysis({ drift: [drift()] }),
      "- Changed outside of this plan: `aws_security_group.web` (**medium**)\n- The plan has changes because of it.",
    ],
    ["what is gone", analysis({ drift: [drift({ kind: "missing" })] }), "- Gone: `aws_security_group.web`"],
    [
      "how bad drift is that a plan without a risk comes with",
      analysis({ drift: [drift({ kind: "missing", risk_level: "critical" })] }),
      "No rule found a risk in its changes. Its drift is of **critical** risk.",
    ],
    [
      "how bad drift is that is worse than the plan",
      analysis({ findings: [finding({ risk_level: "low" })], drift: [drift()] }),
      "Its risk is **low** (1 low). Its drift is of **medium** risk.",
    ],
    [
      "the plan's risk alone where drift is no worse",
      analysis({ findings: [finding()], drift: [drift()] }),
      "Its risk is **critical** (1 critical).\n",
    ],
    [
      "how to stop noise",
      analysis({ noise: [noise()] }),
      "`/leeway fix pn1_abcdefghijklmnopqrstuvwxyz` shows the change.",
    ],
    ["noise that may be more", analysis({ noise: [noise({ hidden: false })] }), "It may be more than noise"],
    ["warnings", analysis({ warnings: ["the plan ended with an error"] }), "- the plan ended with an error."],
    [
      "what to check about what was deleted outside",
      analysis({
        drift: [
          drift({
            risk_level: "critical",
            risk_flags: [{ rule: "R01", flag: "deleted_outside", evidence: [] }],
          }),
        ],
      }),
      "#### Before you apply\n- Find out who deleted it, and what is to be restored from its backups.",
    ],
    [
      "a rule that came later",
      analysis({ findings: [finding({ rule: "R99", flag: "new_thing" })] }),
      "(R99)",
    ],
  ])("tell %s", (_what, one, words) => {
    expect(templateNarrative(one, {})).toContain(words);
  });

  test.each([
    ["that there is no risk where the plan failed", analysis({ errored: true }), "No rule found"],
    [
      "low findings, which the table has",
      analysis({ findings: [finding({ risk_level: "low" })] }),
      "#### What is dangerous",
    ],
    [
      "drift that is noise",
      analysis({
        drift: [
          drift({
            noise: { fingerprint: "pn1_abcdefghijklmnopqrstuvwxyz", class: "set_order", confidence: 1 },
          }),
        ],
      }),
      "#### What is drift",
    ],
    [
      "why twice for one rule",
      analysis({ findings: [finding(), finding({ address: "a_b.c" })] }),
      "with it. What it holds",
    ],
  ])("leave out %s", (_what, one, words) => {
    expect(templateNarrative(one, {})).not.toContain(words);
  });

  test("name the project", () => {
    expect(templateNarrative(analysis(), { project: { name: "web" } })).toStartWith("The plan for `web` ");
    expect(templateNarrative(analysis(), { project: { dir: "infra", workspace: "eu" } })).toStartWith(
      "The plan for `infra:eu` ",
    );
  });

  test("stay short, however much was found", () => {
    const all = Array.from({ length: 500 }, (_, index) => finding({ address: `a_b.c${index}` }));
    const text = templateNarrative(
      analysis({ findings: all, noise: Array.from({ length: 50 }, () => noise()) }),
      {},
    );
    expect(text.split("\n").length).toBeLessThan(25);
    expect(text).toContain("495 more findings");
    expect(text).toContain("47 more kinds of noise");
  });

  test("are the same for the same analysis", () => {
    for (const one of Object.values(ANALYSES))
      expect(templateNarrative(structuredClone(one), {})).toBe(templateNarrative(one, {}));
  });

  test("do nothing, whatever addresses and messages hold", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (name, words) => {
        const text = templateNarrative(
          analysis({
            warnings: [words],
            findings: [finding({ address: name, message: words })],
            drift: [drift({ address: name })],
            noise: [noise({ resource_type: name, path_pattern: words })],
          }),
          { project: { name } },
        );
        expect(whatActs(rendered(text))).toBeUndefined();
      }),
    );
  });
});
