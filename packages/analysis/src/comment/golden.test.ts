import { describe, expect, test } from "bun:test";

import type { Narrative } from "@leeway/shared/contracts/analyzer/analysis";
import { maskPlan } from "../plan/mask-plan.ts";

import { analyzePlan } from "../analyze.ts";
import { templateNarrative } from "../narrative/template.ts";
import { gateOf } from "../risk/gate.ts";
import { GOLDEN, type GoldenPlan } from "./golden.fixture.ts";
import { planComment } from "./plan-comment.ts";

const FOLDER = `${import.meta.dir}/golden`;

/** Returns the comment that GitHub would show, with every optional part. */
function commentOf({ plan }: GoldenPlan): string {
  const analysis = analyzePlan(maskPlan({ format_version: "1.2", ...plan }), { profile: "standard" });
  const narrative: Narrative = { text: templateNarrative(analysis), source: "template" };
  const parts = planComment({
    analysis,
    narrative,
    context: { project: { name: "infra/shop" }, commit_sha: "4f1c9e2a7d3b5f60718293a4b5c6d7e8f9012345" },
    gate: gateOf(analysis, "high"),
    reportUrl: "https://leeway.example/orgs/0192f3c1/plans/0192f3c2",
    previousCommit: "91ab07d2c4e6f8091a2b3c4d5e6f708192a3b4c5",
    linksCommits: true,
    limit: 65_536,
  });
  return `${parts.map(({ body }) => body).join("\n")}\n`;
}

/** Returns a comment without its folded parts. */
const open = (comment: string): string => comment.replaceAll(/<details>[\s\S]*?<\/details>/gu, "");

const LEVELS = ["critical", "high", "medium", "low"];

/** Returns the comment's prose. Levels in the gate line and in table rows don't count. */
const prose = (comment: string): string =>
  open(comment)
    .split("\n")
    .filter((line) => !line.startsWith("|"))
    .join("\n")
    .replaceAll(/\(limit \w+\)/gu, "");

describe("a comment matches its golden file (LEEWAY_GOLDEN=write writes it)", () => {
  test.each(Object.entries(GOLDEN))("%s", async (name, one) => {
    const comment = commentOf(one);
    const file = Bun.file(`${FOLDER}/${name}.md`);
    if (Bun.env["LEEWAY_GOLDEN"] === "write") await file.write(comment);
    expect(comment).toBe(await file.text());
  });

  test.each(Object.entries(GOLDEN))("%s is short and doesn't repeat itself", (_name, one) => {
    const comment = commentOf(one);
    expect(open(comment).split("\n").length).toBeLessThan(30);
    const sentences = comment
      .split(/\n|(?<=[.;])\s| \| /u)
      .map((part) => part.trim())
      .filter((part) => part.length > 25 && !/^(?:\| )?(?:---|Level|<|`[^`]*`$)/u.test(part));
    expect(sentences.filter((part, index) => sentences.indexOf(part) !== index)).toEqual([]);
    for (const level of LEVELS)
      expect(prose(comment).match(new RegExp(String.raw`\b${level}\b`, "gu"))?.length ?? 0).toBeLessThan(2);
  });
});
