import { describe, expect, test } from "bun:test";

import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { ChangeRequest } from "@leeway/shared/contracts/analyzer/change-request";
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
  settleReply,
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
    risks: ["Terraform no longer reverts manual changes to desired_count"],
    verified: { parsed: true, formatted: true, replan: "not_run" },
    ...changes,
  };
}

/** Explains an address in the analysis of the only project. */
const explained = (one: ReturnType<typeof analysis>, address: string): string =>
  explainReply([{ result: one }], address, true);

const settled = (change_request: ChangeRequest): string =>
  settleReply({ how: "accept", patch: "", files: [], explanation: "Sets `timeout`.", change_request });

describe("a reply", () => {
  test.each<[ChangeRequest, string]>([
    [
      {
        branch: "leeway/settle",
        status: "created",
        number: 7,
        url: "https://gitlab.example.com/a/-/merge_requests/7",
      },
      "The code is in [change request 7](https://gitlab.example.com/a/-/merge_requests/7).",
    ],
    [
      {
        branch: "leeway/settle",
        status: "updated",
        number: 7,
        url: "https://x.example/](https://evil.example",
      },
      "The code is in the branch `leeway/settle`.",
    ],
    [
      { branch: "leeway/settle", status: "closed" },
      "The code has it already, so there is nothing to request.",
    ],
    [
      { branch: "leeway/settle", status: "refused", problem: "the branch is protected" },
      "The change request wasn't opened: the branch is protected.",
    ],
  ])("to settle names the change request, or why there is none: %j", (request, text) => {
    expect(settled(request)).toBe(`Sets \`timeout\`.\n\n${text}`);
  });

  test("to rescan lists each account's scan, the refusal or how to find the account", () => {
    expect(
      rescanReply(
        [
          { account_id: "a", scan_id: "s" },
          { account_id: "b", refusal: "it has no credentials" },
        ],
        [],
      ),
    ).toBe(
      "- Account `a` is being scanned: `/scans/s`.\n- Account `b` isn't scanned: it has no credentials.",
    );
    expect(rescanReply([], ["network/prod"])).toContain(
      "No IaC source with an account is named `network/prod`.",
    );
    expect(rescanReply([], [])).toContain("has been analyzed yet");
  });

  test("to help lists every command", () => {
    const verbs = [
      "help",
      "analyze",
      "status",
      "explain",
      "acknowledge",
      "ignore",
      "unignore",
      "fix",
      "settle",
      "rescan",
    ];
    for (const verb of verbs) expect(helpReply()).toContain(`/leeway ${verb}`);
    expect(rendered(helpReply()).match(/<tr>/gu)).toHaveLength(11);
  });

  test("to an unknown command gives the reason and lists commands", () => {
    expect(unknownReply("there is no command frobnicate")).toStartWith(
      "Unknown command: there is no command frobnicate.\n",
    );
    expect(unknownReply("x")).toContain(helpReply());
  });

  test("to a user without permission names the required permission", () => {
    expect(deniedReply("rescan")).toBe(
      "`/leeway rescan` was not run: only people who can push to this repository may run commands.",
    );
    expect(deniedReply("unknown")).toStartWith("That command was not run: ");
  });

  test.each([
    [
      { fingerprint: FINGERPRINT },
      `\`${FINGERPRINT}\` is ignored. Undo with \`/leeway unignore ${FINGERPRINT}\`.`,
    ],
    [
      { fingerprint: FINGERPRINT, until: "30d", reason: "scaled by hand" },
      `\`${FINGERPRINT}\` is ignored until \`30d\`. Undo with \`/leeway unignore ${FINGERPRINT}\`. Reason: scaled by hand.`,
    ],
    [{ fingerprint: FINGERPRINT, undone: true }, `\`${FINGERPRINT}\` is no longer ignored.`],
  ])("to ignore names the ignored fingerprint: %j", (ignored, expected) => {
    expect(ignoredReply(ignored)).toBe(expected);
  });

  test("to an unknown fingerprint says so, and explains drift fingerprints", () => {
    expect(nothingReply(FINGERPRINT)).toBe(`No noise or drift has the fingerprint \`${FINGERPRINT}\`.`);
    expect(nothingReply(`dc1_${"0".repeat(32)}`)).toContain("Drift in a plan has other fingerprints.");
  });

  test("to status has one row per project", () => {
    const gate = { fail_on: "high", passed: false } as const;
    const { risk_level, risk_counts, drift } = DANGEROUS;
    const text = statusReply([
      { project: { name: "web" }, status: "done", result: { risk_level, risk_counts, drift, gate } },
      { project: { name: "net" }, status: "done", result: result({ errored: true, gate }) },
      { project: { dir: "db" }, status: "running" },
      { status: "error" },
    ]);
    expect(text).toContain(
      "| `web` | done | critical risk (1 critical, 1 high, 1 medium, 1 low) | gate failed: risk is critical, limit is high |",
    );
    expect(text).toContain(
      "| `net` | done | the plan failed | gate failed: the plan failed, limit is high |",
    );
    expect(text).toContain("| `db` | running |  |  |");
    expect(text).toContain("| `this repository` | failed |  |  |");
    expect(statusReply([])).toBe("No plan of this merge request has been analyzed yet.");
  });

  test("to explain includes finding, drift and noise of the resource", () => {
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
      "**critical**: Data is destroyed (R01, replace)",
      "- Why it matters: The data in the resource is lost with it.",
      "- Attributes: `storage_encrypted`",
      "- Forced by `engine`",
      "**Drift**: changed outside code, **medium** risk",
      "- Other machines may gain or lose access to it. (R08)",
      "- The plan has changes because of this.",
      "**Noise** (`autoscaler_owned`) at `desired_count`",
    ])
      expect(text).toContain(words);
  });

  test("to explain for ignored noise says how to undo it", () => {
    const text = explained(analysis({ noise: [noise({ muted: true })] }), "aws_ecs_service.api");
    expect(text).toContain(`- It is ignored. Undo with \`/leeway unignore ${FINGERPRINT}\`.`);
    expect(text).not.toContain("/leeway ignore");
  });

  test("to explain says when nothing is known and suggests similar addresses", () => {
    expect(explained(DANGEROUS, "aws_sqs_queue.jobs")).toContain("Did you mean `aws_sqs_queue.jobs[0]`?");
    expect(explained(DANGEROUS, "x_y.z")).toEndWith("it doesn't change, or has another address.");
    expect(explained(analysis({ errored: true }), "x_y.z")).toBe(
      "The latest plan failed, so nothing is known about `x_y.z`.",
    );
  });

  test("to explain includes each project that has the resource", () => {
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

  test("to fix shows the patches, or the block, and the risks", () => {
    expect(fixReply(fix())).toContain("```hcl\nlifecycle {\n  ignore_changes = [desired_count]\n}\n```");
    const patched = fixReply(fix({ patches: [{ path: "main.tf", diff: "-a\n+b\n" }] }));
    expect(patched).toContain("`main.tf`\n\n```diff\n-a\n+b\n```");
    expect(patched).toContain("- Terraform no longer reverts manual changes to `desired_count`.");
  });

  test("has no effect with hostile text", () => {
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
