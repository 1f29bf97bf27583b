import type { AnalyzeResult, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

import type { AnalysisContext } from "../narrative/context.ts";
import { shorten, visible } from "../narrative/markdown.ts";
import { fingerprintOf, identified, located, pathOf } from "./identity.ts";

const SEVERITIES: Readonly<Record<RiskLevel, "blocker" | "critical" | "major" | "minor" | "info">> = {
  critical: "blocker",
  high: "critical",
  medium: "major",
  low: "minor",
  none: "info",
};
const LONGEST = 1_000;

/** The findings as GitLab's Code Quality reads them: what isn't there is solved, so a plan that failed is an issue itself. */
export function codeQualityReport(result: AnalyzeResult, context: AnalysisContext): string {
  const location = { path: visible(pathOf(context)), lines: { begin: 1 } };
  const failed = {
    description: "The plan failed: its findings aren't all",
    check_name: "plan failed",
    fingerprint: fingerprintOf(context, "plan failed"),
    severity: SEVERITIES.critical,
    location,
  };
  const issues = identified(result.findings, context).map(({ finding, fingerprint }) => {
    const { rule, flag, risk_level } = finding;
    return {
      description: shorten(visible(located(finding)), LONGEST),
      check_name: visible(`${rule} ${flag}`),
      fingerprint,
      severity: SEVERITIES[risk_level],
      location,
    };
  });
  return `${JSON.stringify(result.errored ? [failed, ...issues] : issues, null, 2)}\n`;
}
