import { counted } from "@leeway/shared/values/counted";
import type { Analysis, Narrative, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";

import { withoutMuted } from "../noise/without-muted.ts";
import { flagText } from "./rule-texts.ts";

const MAX_CHECKS = 3;

/** Returns the narrative that is written without a model. */
export function templateOf(analysis: Analysis): Narrative {
  return {
    text: templateNarrative(analysis) || "No change needs a check before applying.",
    source: "template",
  };
}

/**
 * Adds what a table of findings doesn't show: what to check before applying, and which drift caused changes. Returns
 * deterministic Markdown; empty if there is nothing to add.
 */
export function templateNarrative(whole: Analysis): string {
  const analysis = withoutMuted(whole);
  return [checks(analysis), causes(analysis)].filter((part) => part !== "").join("\n\n");
}

function checks(analysis: Analysis): string {
  const serious = checksFrom(analysis, "high").slice(0, MAX_CHECKS);
  const all = serious.length > 0 ? serious : checksFrom(analysis, "medium").slice(0, 1);
  return all.length === 0 ? "" : ["**Before you apply**", ...all.map((check) => `- ${check}`)].join("\n");
}

function checksFrom({ findings, drift }: Analysis, least: RiskLevel): string[] {
  const isMeant = ({ risk_level: level }: { risk_level: RiskLevel }): boolean => isAtLeast(level, least);
  const flags = [
    ...findings.filter(isMeant),
    ...drift.filter(isMeant).flatMap(({ risk_flags: [first] }) => (first ? [first] : [])),
  ];
  return [...new Set(flags.map((flag) => flagText(flag).check))];
}

function causes({ drift }: Analysis): string {
  const material = drift.filter(({ noise }) => noise === undefined);
  const relevant = material.filter((one) => one.relevant && one.restored !== true);
  if (relevant.length === 0) return "";
  const all = material.length === 1 ? "the resource" : counted(material.length, "resource");
  const some = relevant.length === material.length ? all : `${relevant.length} of ${all}`;
  return `The plan has changes because of ${some} changed outside code.`;
}
