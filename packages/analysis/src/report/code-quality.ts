import type { AnalyzeResult, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

import type { AnalysisContext } from "../narrative/context.ts";
import { shorten, visible } from "../narrative/markdown.ts";
import { fingerprintOf, identified, located, locationOf, pathOf } from "./identity.ts";
import type { Location, Locations } from "./locations.ts";

const SEVERITIES: Readonly<Record<RiskLevel, "blocker" | "critical" | "major" | "minor" | "info">> = {
  critical: "blocker",
  high: "critical",
  medium: "major",
  low: "minor",
  none: "info",
};
const LONGEST = 1_000;

/**
 * Writes findings for GitLab's Code Quality. A failed plan is itself an issue, because absent issues count as solved.
 */
export function codeQualityReport(
  result: AnalyzeResult,
  context: AnalysisContext,
  locations?: Locations,
): string {
  const failed = {
    description: "The plan failed: its findings are incomplete",
    check_name: "plan failed",
    fingerprint: fingerprintOf(context, "plan failed"),
    severity: SEVERITIES.critical,
    location: placed({ path: pathOf(context), line: 1 }),
  };
  const issues = identified(result.findings, context).map(({ finding, fingerprint }) => {
    const { rule, flag, risk_level } = finding;
    return {
      description: shorten(visible(located(finding)), LONGEST),
      check_name: visible(`${rule} ${flag}`),
      fingerprint,
      severity: SEVERITIES[risk_level],
      location: placed(locationOf(finding, context, locations)),
    };
  });
  return `${JSON.stringify(result.errored ? [failed, ...issues] : issues, null, 2)}\n`;
}

function placed({ path, line }: Location): object {
  return { path: visible(path), lines: { begin: line } };
}
