import type { AnalyzeResult, Finding, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { projectLabel, type AnalysisContext } from "../narrative/context.ts";
import { shorten, visible } from "../narrative/markdown.ts";
import { ruleText } from "../narrative/rule-texts.ts";
import { actionText, pathText } from "../narrative/words.ts";
import { identified, located, locationOf, type IdentifiedFinding } from "./identity.ts";
import type { Location, Locations } from "./locations.ts";

const LEVELS: Readonly<Record<RiskLevel, "error" | "warning" | "note" | "none">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  none: "none",
};
/** Severity scores for code scanning: over 9 is critical, from 7 high, from 4 medium. */
const SEVERITIES: Readonly<Record<RiskLevel, string | undefined>> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.5",
  low: "2.0",
  none: undefined,
};
const LONGEST = 1_000;
/** Marker for a failed plan, whose findings are incomplete. */
const FAILED = {
  executionSuccessful: false,
  toolExecutionNotifications: [{ level: "error", message: { text: "The plan failed." } }],
};

/** Writes the findings as SARIF 2.1.0. */
export function sarifReport(result: AnalyzeResult, context: AnalysisContext, locations?: Locations): string {
  const findings = identified(result.findings, context);
  const rules = rulesOf(result.findings);
  const indexes = new Map(rules.map(([rule], index) => [rule, index]));
  const label = projectLabel(context.project);
  const run = {
    tool: { driver: { name: "Leeway", rules: rules.map(sarifRule) } },
    ...(label !== undefined && { automationDetails: { id: `leeway/${plain(label)}/` } }),
    ...(result.errored && { invocations: [FAILED] }),
    ...(result.risk_profile && { properties: { risk_profile: result.risk_profile } }),
    columnKind: "utf16CodeUnits",
    results: findings.map((one) =>
      sarifResult(one, {
        index: indexes.get(one.finding.rule) ?? -1,
        location: locationOf(one.finding, context, locations),
      }),
    ),
  };
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [run],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Groups findings by rule, worst first. */
function rulesOf(findings: readonly Finding[]): [rule: string, findings: Finding[]][] {
  const rules = new Set(findings.map(({ rule }) => rule));
  return Array.from(rules, (rule) => [rule, findings.filter((finding) => finding.rule === rule)]);
}

function sarifRule([rule, findings]: [rule: string, findings: Finding[]]): object {
  const { title, why, check } = ruleText(rule, findings[0]?.flag ?? "");
  const worst = worstOf(findings.map(({ risk_level }) => risk_level));
  const flags = new Set(findings.map(({ flag }) => plain(flag)));
  return {
    id: plain(rule),
    shortDescription: { text: plain(title) },
    fullDescription: { text: `${plain(title)}. ${why}` },
    help: { text: `${why} ${check}`, markdown: `${why}\n\n**Before you apply:** ${check}` },
    defaultConfiguration: { level: LEVELS[worst] },
    properties: { tags: ["infrastructure", ...flags], "security-severity": SEVERITIES[worst] },
  };
}

function sarifResult(
  { finding, fingerprint }: IdentifiedFinding,
  { index, location }: { index: number; location: Location },
): object {
  const { rule, flag, risk_level, address, resource_type, actions, paths } = finding;
  return {
    ruleId: plain(rule),
    ruleIndex: index,
    level: LEVELS[risk_level],
    // Otherwise the kind is a failure, which may not have the level `none`.
    ...(risk_level === "none" && { kind: "informational" }),
    message: { text: linkless(plain(located(finding))) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: location.path.split("/").map(encodeURIComponent).join("/") },
          region: { startLine: location.line },
        },
        ...(address !== "" && {
          logicalLocations: [{ fullyQualifiedName: plain(address), kind: "resource" }],
        }),
      },
    ],
    // Code scanning uses primaryLocationLineHash. Without it, the action hashes the first line, which is equal for
    // all findings, so that one rule would make a single alert.
    partialFingerprints: { "leewayFinding/v1": fingerprint, primaryLocationLineHash: fingerprint },
    properties: {
      risk_level,
      flag,
      resource_type: plain(resource_type),
      action: actionText(actions),
      paths: paths.map((path) => plain(pathText(path))),
    },
  };
}

function plain(text: string): string {
  return shorten(visible(text), LONGEST);
}

/** Breaks links, the only active syntax in SARIF's plain text: `[text](target)`. */
function linkless(text: string): string {
  return text.replaceAll("](", "] (");
}
