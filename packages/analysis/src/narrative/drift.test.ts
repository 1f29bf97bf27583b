import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  checkedDriftNarrative,
  driftNarrativePrompt,
  driftTemplateNarrative,
  type SnapshotChange,
  type SnapshotFacts,
} from "./drift.ts";
import { hostileText, rendered, whatActs } from "./hostile.fixture.ts";
import { LONGEST_PROMPT } from "./prompt.ts";

function change(changes: Partial<SnapshotChange> = {}): SnapshotChange {
  return {
    kind: "changed",
    name: "aws_security_group.web",
    resource_type: "aws_security_group",
    risk_level: "medium",
    risk_flags: [{ rule: "R08", flag: "network_policy_change" }],
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

describe("the template's words for a drift snapshot", () => {
  test.each([
    ["the coverage", facts(), "In `production` (aws), 150 of 200 live resources are declared: 75% coverage."],
    ["that it isn't reliable", facts({ coverage_reliable: false }), "That figure isn't reliable"],
    ["the risk", facts(), "The risk of its drift is **medium** (1 medium)."],
    ["no risk", facts({ risk_level: "none" }), "No rule found a risk in its drift."],
    [
      "what changed",
      facts(),
      "- **medium**: `aws_security_group.web` (new, changed) at `ingress[0].cidr_blocks`. A network policy changes (R08).",
    ],
    ["what is missing", facts(), "- 1 declared resource can't be found"],
    ["what is undeclared", facts(), "- 50 live resources without a declaration"],
    [
      "an undeclared role, which is a risk",
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
    ["what is unchecked", facts(), "- 4 of them are of types that Leeway has no mapping for"],
    [
      "how many more there are",
      facts({ changes: Array.from({ length: 9 }, () => change()) }),
      "\n- 4 more changes",
    ],
    [
      "that there are others where not all are known",
      facts({ changes: Array.from({ length: 9 }, () => change()), has_more_changes: true }),
      "\n- at least 4 more changes",
    ],
  ])("tell %s", (_what, one, words) => {
    expect(driftTemplateNarrative(one)).toContain(words);
  });

  test("do nothing, whatever names hold", () => {
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

test("a prompt for a drift snapshot is bounded", () => {
  const asked = driftNarrativePrompt(facts({ changes: Array.from({ length: 5_000 }, () => change()) }));
  expect(asked.system.length + asked.prompt.length).toBeLessThanOrEqual(LONGEST_PROMPT);
  expect(asked.prompt).toContain('"left_out"');
});

test("a model is told what it may speak of, and nothing else of the snapshot and its account", () => {
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
  test("may be shown when it keeps to the facts", () => {
    const text = "Medium risk: `aws_security_group.web` changed at `ingress` in `production`.";
    expect(checkedDriftNarrative(text, facts())).toEqual({ ok: true, text });
  });

  test("may be the template's", () => {
    const text = driftTemplateNarrative(facts());
    expect(checkedDriftNarrative(text, facts())).toEqual({ ok: true, text });
  });

  test.each([
    ["invents a resource", "Medium risk: `aws_instance.web` changed."],
    ["lowers the risk", "Medium? The risk is low."],
    ["calls it harmless", "Medium, but harmless."],
  ])("is refused when it %s", (_what, text) => {
    expect(checkedDriftNarrative(text, facts())).toMatchObject({ ok: false });
  });
});
