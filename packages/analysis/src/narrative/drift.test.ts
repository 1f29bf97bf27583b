import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  driftNarrativePrompt,
  driftTemplateNarrative,
  type SnapshotChange,
  type SnapshotFacts,
} from "./drift.ts";
import { HOSTILE_TEXTS } from "./hostile-answers.fixture.ts";
import { hostileText, rendered, whatActs } from "./hostile.fixture.ts";
import { LONGEST_PROMPT } from "./prompt.ts";
import { readAnswer } from "./read-answer.ts";

function change(changes: Partial<SnapshotChange> = {}): SnapshotChange {
  return {
    fingerprint: `dc1_${"a".repeat(32)}`,
    kind: "changed",
    name: "aws_security_group.web",
    resource_type: "aws_security_group",
    risk_level: "medium",
    risk_flags: [{ rule: "R09", flag: "opens_to_internet", message: "Opens port 22 to 0.0.0.0/0" }],
    paths: [["ingress", 0, "cidr_blocks"]],
    is_new: true,
    ...changes,
  };
}

function facts(changes: Partial<SnapshotFacts> = {}): SnapshotFacts {
  return {
    account: { provider: "aws", external_id: "123456789012", name: "production" },
    live_count: 200,
    matched_count: 150,
    undeclared_count: 50,
    unchecked_count: 4,
    missing_count: 1,
    coverage_pct: 75,
    coverage_reliable: true,
    risk_level: "medium",
    risk_counts: { critical: 0, high: 0, medium: 1, low: 0 },
    changes: [change()],
    has_more_changes: false,
    ...changes,
  };
}

describe("the template text of a drift snapshot", () => {
  test.each([
    ["the coverage", facts(), "In `production` (aws), 150 of 200 live resources are declared: 75% coverage."],
    ["that coverage isn't reliable", facts({ coverage_reliable: false }), "That figure isn't reliable"],
    ["the risk", facts(), "Drift risk: **medium** (1 medium)."],
    ["no risk", facts({ risk_level: "none" }), "No risk was found in its drift."],
    [
      "that nothing is declared",
      facts({ risk_level: "none", matched_count: 0, coverage_pct: 0 }),
      "0% coverage. No live resource is declared, so nothing can have drifted.",
    ],
    [
      "a change",
      facts(),
      "- **medium**: `aws_security_group.web` (new, changed): Opens port 22 to `0.0.0.0/0` (R09).",
    ],
    ["missing resources", facts(), "- 1 declared resource was deleted outside code."],
    ["undeclared resources", facts(), "- 50 live resources without a declaration"],
    [
      "the risk of undeclared resources",
      facts({ undeclared_risk_counts: { critical: 1, high: 0, medium: 3, low: 46 } }),
      "- 50 live resources without a declaration (1 critical, 3 medium, 46 low): import",
    ],
    [
      "an undeclared grant with a risk",
      facts({
        changes: [
          change({
            kind: "undeclared",
            name: "//storage.googleapis.com/assets/roles/storage.objectViewer/allUsers",
            resource_type: "google_storage_bucket_iam_member",
            risk_flags: [{ rule: "R10", flag: "public_data" }],
            paths: [["role"], ["member"]],
          }),
        ],
      }),
      "- **medium**: `//storage.googleapis.com/assets/roles/storage.objectViewer/allUsers` (new, undeclared)",
    ],
    ["unchecked resources", facts(), "- 4 of them have types that Leeway can't compare yet"],
    [
      "the number of further changes",
      facts({ changes: Array.from({ length: 9 }, () => change()) }),
      "\n- 4 more changes",
    ],
    [
      "a minimum if not all changes are known",
      facts({ changes: Array.from({ length: 9 }, () => change()), has_more_changes: true }),
      "\n- at least 4 more changes",
    ],
  ])("includes %s", (_what, one, words) => {
    expect(driftTemplateNarrative(one)).toContain(words);
  });

  test("has no effect with hostile names", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const account = { provider: text, external_id: text };
        const narrative = driftTemplateNarrative(
          facts({ account, changes: [change({ name: text, paths: [[text]] })] }),
        );
        expect(whatActs(rendered(narrative))).toBeUndefined();
      }),
    );
  });
});

test("a prompt for a drift snapshot has a limited size", () => {
  const asked = driftNarrativePrompt(facts({ changes: Array.from({ length: 5_000 }, () => change()) }));
  expect(asked.system.length + asked.prompt.length).toBeLessThanOrEqual(LONGEST_PROMPT);
  expect(asked.prompt).toContain('"left_out"');
});

test("a prompt contains only the permitted facts of a snapshot and its account", () => {
  const checks = Array.from({ length: 300 }, () => ({
    name: "ec2",
    ok: false,
    message: "denied ".repeat(50),
  }));
  const account = {
    ...facts().account,
    id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
    credentials: { kind: "aws_role" },
    last_verification: { status: "failing", checks, missing_permissions: ["ec2:DescribeVpcs"] },
  };
  const snapshot = { ...facts({ account }), narrative: { status: "queued", text: "Words of before." } };
  const { system, prompt } = driftNarrativePrompt(snapshot);
  expect(prompt).toContain('"production"');
  expect(prompt).toContain("aws_security_group.web");
  for (const other of [account.id, "credentials", "denied", "ec2:DescribeVpcs", "Words of before"])
    expect(prompt).not.toContain(other);
  expect(system.length + prompt.length).toBeLessThanOrEqual(LONGEST_PROMPT);
});

describe("an answer about a drift snapshot", () => {
  const { fingerprint } = change();
  const read = (explanation: string, id = fingerprint) => {
    const answer = { summary: "", findings: [{ id, explanation }] };
    return readAnswer(JSON.stringify(answer), driftNarrativePrompt(facts()).known);
  };

  test("explains a change by its fingerprint and names the resource", () => {
    expect(read("Port `443` of `aws_security_group.web` was opened to `0.0.0.0/0` by hand")).toEqual({
      text: "- `aws_security_group.web`: Port `443` of `aws_security_group.web` was opened to `0.0.0.0/0` by hand.",
      answer: {
        findings: [
          {
            id: fingerprint,
            explanation: "Port `443` of `aws_security_group.web` was opened to `0.0.0.0/0` by hand.",
          },
        ],
      },
    });
  });

  test.each([
    ["an unknown change", read("It changed.", `dc1_${"b".repeat(32)}`)],
    ["an unknown resource", read("`aws_instance.web` changed too.")],
  ])("isn't shown when it names %s", (_what, answered) => {
    expect(answered).toBeUndefined();
  });

  test.each(Object.entries(HOSTILE_TEXTS))("has no effect with %s", (_, text) => {
    const shown = read(text)?.text ?? "";
    expect(whatActs(rendered(shown))).toBeUndefined();
    expect(shown).not.toMatch(/https?:|www\.|<[a-z/!?]|AKIA|hunter2|[\u200B\u202E\u2066\uFEFF]/iu);
  });
});
