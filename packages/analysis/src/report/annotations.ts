import type { AnalyzeResult, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

import type { AnalysisContext } from "../narrative/context.ts";
import { shorten, visible } from "../narrative/markdown.ts";
import { located, locationOf, pathOf } from "./identity.ts";
import type { Location, Locations } from "./locations.ts";

const COMMANDS: Readonly<Record<RiskLevel, "error" | "warning" | "notice">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "notice",
  none: "notice",
};
/** GitHub shows ten annotations of each kind from one step. */
const MAX_OF_A_KIND = 10;
const LONGEST = 1_000;

/**
 * Writes the worst findings as commands of GitHub Actions, which show them at their lines:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function annotationsReport(
  { findings, errored }: AnalyzeResult,
  context: AnalysisContext,
  locations?: Locations,
): string {
  const failed = { path: pathOf(context), line: 1 };
  const lines = errored
    ? [command("error", failed, "Leeway", "The plan failed: its findings are incomplete")]
    : [];
  const counts = new Map<string, number>();
  for (const finding of findings) {
    const kind = COMMANDS[finding.risk_level];
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count > MAX_OF_A_KIND) continue;
    const title = `Leeway ${finding.rule}: ${finding.risk_level} risk`;
    lines.push(command(kind, locationOf(finding, context, locations), title, located(finding)));
  }
  return lines.join("");
}

function command(kind: string, { path, line }: Location, title: string, message: string): string {
  const about = `file=${property(path)},line=${line},title=${property(title)}`;
  return `::${kind} ${about}::${escaped(shorten(visible(message), LONGEST))}\n`;
}

function property(value: string): string {
  return escaped(visible(value)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Escapes as the runner reads it, so that no text ends the command or starts another. */
function escaped(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
