import type { AnalyzeResult, Finding, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

import { gateText } from "../comment/sections.ts";
import { countsInWords } from "../narrative/counts.ts";
import { visible } from "../narrative/markdown.ts";
import { actionText, counted, planInWords } from "../narrative/words.ts";
import { withoutMuted } from "../noise/without-muted.ts";

const LEVEL_WIDTH = "critical".length;
const INDENT = " ".repeat(LEVEL_WIDTH + 2);
const NARROWEST = 40;

const STYLES: Readonly<Record<RiskLevel | "plain", string>> = {
  critical: "1;31",
  high: "31",
  medium: "33",
  low: "36",
  none: "32",
  plain: "2",
};
type Paint = (style: RiskLevel | "plain", text: string) => string;

/**
 * The findings, drift and noise for a terminal of `width` columns: wrapped rather than cut, with nothing from outside
 * that a terminal would act on.
 */
export function tableReport(
  whole: AnalyzeResult,
  { width, colours = false }: { width: number; colours?: boolean },
): string {
  const paint: Paint = (style, text) => (colours ? `\u001B[${STYLES[style]}m${text}\u001B[0m` : text);
  const result = withoutMuted(whole);
  const columns = Math.max(NARROWEST, width);
  const lines = [
    ...result.warnings.flatMap((text) => wrapped(`warning: ${text}`, columns)),
    ...result.findings.flatMap((finding) => findingLines(finding, { columns, paint })),
    ...driftLines(result, { columns, paint }),
    ...noiseLines(result, { columns, paint }),
    ...closing(result, { columns, paint }),
  ];
  return `${lines.join("\n")}\n`;
}

interface Page {
  columns: number;
  paint: Paint;
}

function findingLines(
  { risk_level, rule, actions, address, message }: Finding,
  { columns, paint }: Page,
): string[] {
  const subject = address === "" ? "the plan" : `${actionText(actions)} ${address}`;
  return entry(risk_level, [`${rule}  ${subject}`, message], { columns, paint });
}

function driftLines({ drift }: AnalyzeResult, page: Page): string[] {
  const material = drift.filter(({ noise }) => noise === undefined);
  if (material.length === 0) return [];
  return [
    "",
    `${counted(material.length, "resource")} changed outside:`,
    ...material.flatMap(({ risk_level, kind, address }) => entry(risk_level, [`${kind}  ${address}`], page)),
  ];
}

function noiseLines({ noise }: AnalyzeResult, { columns, paint }: Page): string[] {
  if (noise.length === 0) return [];
  return [
    "",
    `${counted(noise.length, "kind")} of noise:`,
    ...noise.flatMap(({ fingerprint, class: kind, resource_type, path_pattern, count }) => [
      paint("plain", fingerprint),
      ...wrapped(`${kind}  ${resource_type}.${path_pattern}, ${counted(count, "place")}`, columns - 2).map(
        (line) => `  ${line}`,
      ),
    ]),
  ];
}

function closing(result: AnalyzeResult, { columns, paint }: Page): string[] {
  const { risk_level, risk_counts, gate } = result;
  const counts = countsInWords(risk_counts);
  const risk = `Risk: ${risk_level}${counts === "" ? "" : ` (${counts})`}; ${gateText(gate).replaceAll("*", "")}`;
  return [
    "",
    ...wrapped(`Plan: ${planInWords(result)}`, columns),
    ...wrapped(risk, columns).map((line, index) =>
      index === 0 ? line.replace(risk_level, paint(risk_level, risk_level)) : line,
    ),
  ];
}

function entry(level: RiskLevel, texts: string[], { columns, paint }: Page): string[] {
  const lines = texts.flatMap((text) => wrapped(text, columns - INDENT.length));
  return lines.map((line, index) =>
    index === 0 ? `${paint(level, level.padEnd(LEVEL_WIDTH))}  ${line}` : INDENT + line,
  );
}

/** Text in lines of at most `columns` characters, divided at blanks where there are any. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words(text, columns)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (length(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

function words(text: string, columns: number): string[] {
  return visible(text)
    .split(" ")
    .flatMap((word) => word.match(new RegExp(`.{1,${columns}}`, "gsu")) ?? []);
}

function length(text: string): number {
  return Array.from(text).length;
}
