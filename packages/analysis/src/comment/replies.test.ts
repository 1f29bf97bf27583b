import { describe, expect, test } from "bun:test";

import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import fc from "fast-check";

import { analysis, ANALYSES, drift, finding, noise, result } from "../narrative/analysis.fixture.ts";
import { hostileText, rendered, whatActs } from "../narrative/hostile.fixture.ts";
import {
  deniedReply,
  explainReply,
  fixReply,
  helpReply,
  ignoredReply,
  nothingReply,
  rescanReply,
  statusReply,
  unknownReply,
} from "./replies.ts";

const FINGERPRINT = "pn1_abcdefghijklmnopqrstuvwxyz";
const DANGEROUS = ANALYSES["dangerous"] ?? analysis();

function fix(changes: Partial<FixResult> = {}): FixResult {
  return {
    strategy: "ignore_changes",
    explanation: "A scaler owns desired_count",
    patches: [],
    hcl: "lifecycle {\n  ignore_changes = [desired_count]\n}\n",
    risks: ["Terraform will stop correcting manual changes of desired_count"],
    verified: { parsed: true, formatted: true, replan: "not_run" },
    ...changes,
  };
}

/** Of the only project's analysis. */
const explained = (one: ReturnType<typeof analysis>, address: string): string =>
  explainReply([{ result: one }], address);

describe("a reply", () => {
  test("to rescan names each account's scan, or why there is none, or how to tell the account", () => {
    expect(
      rescanReply(
        [
          { account_id: "a", scan_id: "s" },
          { account_id: "b", refusal: "it has no credentials" },
        ],
        [],
      ),
    ).toBe(
      "- The account `a` is scanned anew: `/scans/s`.\n- The account `b` isn't scanned: it has no credentials.",
    );
    expect(rescanReply([], ["network/prod"])).toContain(
      "No IaC source that has an account is called `network/prod`.",
    );
    expect(rescanReply([], [])).toContain("has been analysed yet");
  });

  test("to help lists every command", () => {
    for (const verb of ["help", "analyze", "status", "explain", "ignore", "unignore", "fix", "rescan"])
      expect(helpReply()).toContain(`/leeway ${verb}`);
    expect(rendered(helpReply()).match(/<tr>/gu)).toHaveLength(9);
  });

  test("to what isn't a command says why and lists commands", () => {
    expect(unknownReply("there is no command frobnicate")).toStartWith(
      "That command wasn't understood: there is no command frobnicate.\n",
    );
    expect(unknownReply("x")).toContain(helpReply());
  });

  test("to somebody without the right names what it takes", () => {
    expect(deniedReply("rescan")).toBe(
      "`/leeway rescan` was not run: it takes the right to push to this repository.",
    );
    expect(deniedReply("unknown")).toStartWith("That command was not run: ");
  });

  test.each([
    [
      { fingerprint: FINGERPRINT },
      `\`${FINGERPRINT}\` is ignored. \`/leeway unignore ${FINGERPRINT}\` takes that back.`,
    ],
    [
      { fingerprint: FINGERPRINT, until: "30d", reason: "scaled by hand" },
      `\`${FINGERPRINT}\` is ignored until \`30d\`. \`/leeway unignore ${FINGERPRINT}\` takes that back. Reason: scaled by hand.`,
    ],
    [{ fingerprint: FINGERPRINT, undone: true }, `\`${FINGERPRINT}\` is no longer ignored.`],
  ])("to ignore tells what is ignored: %j", (ignored, expected) => {
    expect(ignoredReply(ignored)).toBe(expected);
  });

  test("to what nothing has says so, and of drift which fingerprints count", () => {
    expect(nothingReply(FINGERPRINT)).toBe(`There is no noise or drift \`${FINGERPRINT}\` here.`);
    expect(nothingReply(`dc1_${"0".repeat(32)}`)).toContain("Those of a plan are others.");
  });

  test("to status has a row a project", () => {
    const gate = { fail_on: "high", passed: false } as const;
    const { risk_level, risk_counts, drift } = DANGEROUS;
    const text = statusReply([
      { project: { name: "web" }, status: "done", result: { risk_level, risk_counts, drift, gate } },
      { project: { name: "net" }, status: "done", result: result({ errored: true, gate }) },
      { project: { dir: "db" }, status: "running" },
      { status: "error" },
    ]);
    expect(text).toContain(
      "| `web` | done | **critical** risk (1 critical, 1 high, 1 medium, 1 low) | gate **failed** (fails on high or worse) |",
    );
    expect(text).toContain("| `net` | done | the plan failed | gate **failed** (fails on high or worse) |");
    expect(text).toContain("| `db` | running |  |  |");
    expect(text).toContain("| `this repository` | failed |  |  |");
    expect(statusReply([])).toBe("No plan of this merge request has been analysed yet.");
  });

  test("to explain has finding, drift and noise of the resource", () => {
    const address = "aws_db_instance.orders";
    const text = explained(
      analysis({
        findings: [finding({ replace_paths: [["engine"]] })],
        drift: [drift({ address })],
        noise: [noise({ addresses: [address] })],
      }),
      address,
    );
    for (const words of [
      "#### `aws_db_instance.orders`",
      "**critical**: A stateful resource is destroyed (R01, replace)",
      "- Why it matters: What it holds is lost with it.",
      "- Goes by `storage_encrypted`",
      "- Replaced because of `engine`",
      "**Drift** of **medium** risk: it was changed outside of the plan.",
      "- Who can reach what changes. (R08)",
      "- The plan has changes because of it.",
      "**Noise** (`autoscaler_owned`) at `desired_count`",
    ])
      expect(text).toContain(words);
  });

  test("to explain of noise that is ignored says how to take that back", () => {
    const text = explained(analysis({ noise: [noise({ muted: true })] }), "aws_ecs_service.api");
    expect(text).toContain(`- It is ignored. \`/leeway unignore ${FINGERPRINT}\` takes that back.`);
    expect(text).not.toContain("/leeway ignore");
  });

  test("to explain says so when nothing is known, and what comes near", () => {
    expect(explained(DANGEROUS, "aws_sqs_queue.jobs")).toContain("Did you mean `aws_sqs_queue.jobs[0]`?");
    expect(explained(DANGEROUS, "x_y.z")).toEndWith("it doesn't change, or is named otherwise.");
    expect(explained(analysis({ errored: true }), "x_y.z")).toBe(
      "The latest plan failed: nothing is known of `x_y.z`.",
    );
  });

  test("to explain tells of each project that has the resource, and which one that is", () => {
    const [prod, dev] = [{ name: "prod" }, { dir: "dev" }];
    const address = "aws_db_instance.orders";
    const withIt = analysis({ findings: [finding({ address })] });
    const elsewhere = { project: { name: "net" }, result: analysis() };
    const text = explainReply(
      [elsewhere, { project: dev, result: withIt }, { project: prod, result: withIt }],
      address,
    );
    expect(text.match(/^#### .*$/gmu)).toEqual([
      "#### `aws_db_instance.orders` in `dev`",
      "#### `aws_db_instance.orders` in `prod`",
    ]);
    const near = explainReply([elsewhere, { project: prod, result: withIt }], "orders");
    expect(near).toContain("Did you mean `aws_db_instance.orders`?");
  });

  test("to fix shows the patches, else the block, and the risks", () => {
    expect(fixReply(fix())).toContain("```hcl\nlifecycle {\n  ignore_changes = [desired_count]\n}\n```");
    const patched = fixReply(fix({ patches: [{ path: "main.tf", diff: "-a\n+b\n" }] }));
    expect(patched).toContain("`main.tf`\n\n```diff\n-a\n+b\n```");
    expect(patched).toContain("- Terraform will stop correcting manual changes of `desired_count`.");
  });

  test("does nothing, whatever it repeats", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const one = analysis({
          findings: [
            finding({
              address: text,
              message: text,
              rule: text,
              flag: text,
              actions: [text],
              paths: [[text]],
            }),
          ],
          drift: [drift({ address: text, fingerprint: text })],
          noise: [noise({ addresses: [text], path_pattern: text })],
        });
        for (const reply of [
          unknownReply(text),
          ignoredReply({ fingerprint: text, until: text, reason: text }),
          nothingReply(text),
          explained(one, text),
          explained(one, `${text}x`),
          statusReply([{ project: { name: text }, status: "done" }]),
          fixReply(fix({ explanation: text, hcl: text, risks: [text] })),
          fixReply(fix({ patches: [{ path: text, diff: text }] })),
        ])
          expect(whatActs(rendered(reply))).toBeUndefined();
      }),
    );
  });
});
