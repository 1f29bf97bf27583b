import type { Analysis, Finding, NoiseGroup, PlannedDrift } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast } from "@leeway/shared/risk-levels";

import { projectLabel, type AnalysisContext } from "./context.ts";
import { countsInWords, driftLevel } from "./counts.ts";
import { code, prose, sentence } from "./markdown.ts";
import { CLASS_WORDS } from "../noise/classes.ts";
import { withoutMuted } from "../noise/without-muted.ts";
import { flagText } from "./rule-texts.ts";
import { counted, deedsOf, listed } from "./words.ts";

const MOST_FINDINGS = 5;
const MOST_NAMES = 5;
const MOST_NOISE = 3;
const MOST_WARNINGS = 3;

/** What a plan means, by rules alone: short Markdown that is the same for the same analysis. */
export function templateNarrative(whole: Analysis, context: AnalysisContext): string {
  const analysis = withoutMuted(whole);
  return [
    opening(analysis, context),
    warnings(analysis.warnings),
    danger(analysis.findings),
    drift(analysis.drift),
    noise(analysis.noise),
    checks(analysis),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function opening(analysis: Analysis, { project }: AnalysisContext): string {
  const label = projectLabel(project);
  const subject = label === undefined ? "This plan" : `The plan for ${code(label)}`;
  const deeds = deedsOf(analysis.summary);
  const does = `${listed(deeds.map(({ verb, count }) => `${verb}s ${count}`))} ${deeds.at(-1)?.count === 1 ? "resource" : "resources"}`;
  if (!analysis.errored)
    return `${subject} ${deeds.length === 0 ? "changes no resources" : does}. ${risk(analysis)}`;
  return [
    `${subject} failed: what it would do isn't known.`,
    ...(deeds.length === 0 ? [] : [`As far as it got, it ${does}.`]),
    ...(analysis.findings.length === 0 ? [] : [risk(analysis)]),
  ].join(" ");
}

function risk(analysis: Analysis): string {
  const { risk_level: level, risk_counts } = analysis;
  const drifted = driftLevel(analysis);
  if (level === "none" && drifted === "none") return "No rule found a risk in it.";
  const counts = countsInWords(risk_counts);
  const own =
    level === "none"
      ? "No rule found a risk in its changes."
      : `Its risk is **${level}**${counts === "" ? "" : ` (${counts})`}.`;
  return isAtLeast(level, drifted) ? own : `${own} Its drift is of **${drifted}** risk.`;
}

function warnings(texts: readonly string[]): string {
  if (texts.length === 0) return "";
  const more = texts.length - MOST_WARNINGS;
  return [
    "Read it with care:",
    ...texts.slice(0, MOST_WARNINGS).map((text) => `- ${sentence(text)}`),
    ...(more > 0 ? [`- ${counted(more, "more warning")}`] : []),
  ].join("\n");
}

function isDangerous({ risk_level: level }: Finding | PlannedDrift): boolean {
  return isAtLeast(level, "medium");
}

function danger(findings: readonly Finding[]): string {
  const dangerous = findings.filter(isDangerous);
  if (dangerous.length === 0) return "";
  const explained = new Set<string>();
  const lines = dangerous.slice(0, MOST_FINDINGS).map(({ rule, flag, risk_level, address, message }) => {
    const why = explained.has(rule) ? "" : ` ${flagText({ rule, flag }).why}`;
    explained.add(rule);
    const subject = address === "" || message.includes(address) ? "" : `${code(address)}: `;
    return `- **${risk_level}** (${prose(rule)}): ${subject}${sentence(message)}${why}`;
  });
  const more = dangerous.length - lines.length;
  if (more > 0) lines.push(`- ${counted(more, "more finding")} of medium risk or worse`);
  return ["#### What is dangerous", ...lines].join("\n");
}

function drift(drift: readonly PlannedDrift[]): string {
  const material = drift.filter((one) => one.noise === undefined);
  if (material.length === 0) return "";
  const of = (kind: PlannedDrift["kind"]) => material.filter((one) => one.kind === kind);
  const facts = [
    ["Changed outside of this plan", of("changed")],
    ["Gone", of("missing")],
  ] as const;
  const lines = facts
    .filter(([, found]) => found.length > 0)
    .map(([what, found]) => `- ${what}: ${names(found)}`);
  const relevant = material.filter((one) => one.relevant).length;
  if (relevant > 0)
    lines.push(`- The plan has changes because of ${material.length === 1 ? "it" : `${relevant} of them`}.`);
  return ["#### What is drift", ...lines].join("\n");
}

function names(drift: readonly PlannedDrift[]): string {
  const shown = drift
    .slice(0, MOST_NAMES)
    .map(({ address, risk_level: level }) => code(address) + (level === "none" ? "" : ` (**${level}**)`));
  const more = drift.length - shown.length;
  return listed(more > 0 ? [...shown, `${more} more`] : shown);
}

function noise(groups: readonly NoiseGroup[]): string {
  if (groups.length === 0) return "";
  const lines = groups.slice(0, MOST_NOISE).map((group) => {
    const text = CLASS_WORDS[group.class];
    const how = group.fix_available ? ` ${code(`/leeway fix ${group.fingerprint}`)} shows the change.` : "";
    const where = `${code(group.resource_type)} at ${code(group.path_pattern)}`;
    const shown = group.hidden ? "" : " It may be more than noise, so its findings stand.";
    return `- ${where}, in ${counted(group.count, "place")}: ${text.cause} ${text.stop}${how}${shown}`;
  });
  const more = groups.length - lines.length;
  if (more > 0) lines.push(`- ${counted(more, "more kind")} of noise`);
  return ["#### What is noise, and how to stop it", ...lines].join("\n");
}

function checks({ findings, drift }: Analysis): string {
  const flags = [
    ...findings.filter(isDangerous),
    ...drift.filter(isDangerous).flatMap(({ risk_flags }) => risk_flags),
  ];
  const all = new Set(flags.map(({ rule, flag }) => flagText({ rule, flag }).check));
  if (all.size === 0) return "";
  return ["#### Before you apply", ...[...all].slice(0, MOST_FINDINGS).map((check) => `- ${check}`)].join(
    "\n",
  );
}
