import { expect, test } from "bun:test";

import fc from "fast-check";

import { analysis, ANALYSES, drift, finding, noise } from "./analysis.fixture.ts";
import { hostileText, rendered, whatActs } from "./hostile.fixture.ts";
import { templateNarrative } from "./template.ts";

const BACKUP = "Back up the data somewhere else, and test that the backup can be restored.";
const lost = drift({
  risk_level: "critical",
  risk_flags: [{ rule: "R01", flag: "deleted_outside", evidence: [] }],
  relevant: false,
});

test.each([
  [
    "the check of a serious finding",
    analysis({ findings: [finding()] }),
    `**Before you apply**\n- ${BACKUP}`,
  ],
  [
    "one check if nothing is serious",
    analysis({
      findings: [
        finding({ rule: "R08", flag: "network_policy_change", risk_level: "medium" }),
        finding({ rule: "R12", flag: "iam_change", risk_level: "medium" }),
      ],
    }),
    "**Before you apply**\n- Review each rule that is added or removed, and confirm who needs it.",
  ],
  [
    "the check of serious drift",
    analysis({ drift: [lost] }),
    "**Before you apply**\n- Find out who deleted it, and restore the data from a backup.",
  ],
  [
    "that drift causes changes of the plan",
    analysis({ drift: [drift({ risk_level: "low" }), drift({ risk_level: "low", relevant: false })] }),
    "The plan has changes because of 1 of 2 resources changed outside code.",
  ],
  [
    "that all drift causes changes",
    analysis({ drift: [drift({ risk_level: "low" })] }),
    "The plan has changes because of the resource changed outside code.",
  ],
  ["nothing for low findings", analysis({ findings: [finding({ risk_level: "low" })] }), ""],
  [
    "nothing for drift that the plan reverts",
    analysis({ drift: [drift({ restored: true, risk_level: "low" })] }),
    "",
  ],
  [
    "nothing for drift that is noise",
    analysis({
      drift: [
        drift({
          risk_level: "none",
          noise: { fingerprint: "pn1_abcdefghijklmnopqrstuvwxyz", class: "set_order", confidence: 1 },
        }),
      ],
    }),
    "",
  ],
  ["nothing for noise", analysis({ noise: [noise()] }), ""],
])("the template gives %s", (_what, one, words) => {
  expect(templateNarrative(one)).toBe(words);
});

test("the template has at most three different checks", () => {
  const rules = ["R01", "R02", "R09", "R13", "R14"].flatMap((rule) => [rule, rule]);
  const findings = rules.map((rule) => finding({ rule, flag: "x", risk_level: "high" }));
  const lines = templateNarrative(analysis({ findings })).split("\n");
  expect(lines).toHaveLength(4);
  expect(new Set(lines).size).toBe(4);
});

test("the template gives the same text for the same analysis", () => {
  for (const one of Object.values(ANALYSES))
    expect(templateNarrative(structuredClone(one))).toBe(templateNarrative(one));
});

test("hostile names have no effect in the template", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, words) => {
      const text = templateNarrative(
        analysis({
          warnings: [words],
          findings: [finding({ rule: words, flag: name, address: name, message: words })],
          drift: [drift({ address: name })],
        }),
      );
      expect(whatActs(rendered(text))).toBeUndefined();
    }),
  );
});
