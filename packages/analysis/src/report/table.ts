import { counted } from "@leeway/shared/values/counted";
import type {
  AnalyzeResult,
  Finding,
  NoiseGroup,
  RiskLevel,
} from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";

import { countsInWords } from "../narrative/counts.ts";
import { hiddenByRules } from "../narrative/hidden-by-rules.ts";
import { visible } from "../narrative/markdown.ts";
import { actionText, planInWords } from "../narrative/words.ts";
import { withoutMuted } from "../noise/without-muted.ts";
import { gateText } from "../risk/gate.ts";
import { painter, wrapped, type Paint } from "./lines.ts";

const LEVEL_WIDTH = "critical".length;
const INDENT = " ".repeat(LEVEL_WIDTH + 2);
const NARROWEST = 40;

/** Width of a table, and limits on the findings, drift and noise that it lists. */
export interface TableLook {
  width: number;
  colours?: boolean;
  /** Lowest level listed. */
  minRisk?: RiskLevel | undefined;
  /** Maximum number of findings, of drift and of noise; unlimited by default. */
  maxRows?: number | undefined;
}

/**
 * Renders findings, drift and noise for a terminal of `width` columns: worst first, the verdict last. Wraps long
 * lines, and escapes terminal control characters.
 */
export function tableReport(
  whole: AnalyzeResult,
  { width, colours = false, minRisk = "none", maxRows = Infinity }: TableLook,
): string {
  const paint = painter(colours);
  const result = withoutMuted(whole);
  const page = { columns: Math.max(NARROWEST, width), paint, minRisk, maxRows };
  const lines = [
    ...result.warnings.flatMap((text) => wrapped(`warning: ${text}`, page.columns)),
    ...levelRows(result.findings, "finding", { ...page, linesOf: (finding) => findingLines(finding, page) }),
    ...driftLines(result, page),
    ...noiseLines(result, page),
    ...hiddenLines(whole, page),
    ...closing(result, page),
  ];
  return `${lines.join("\n")}\n`;
}

interface Page {
  columns: number;
  paint: Paint;
  minRisk: RiskLevel;
  maxRows: number;
}

/** Returns lines for rows of the minimum level, and one that counts the omitted rows. */
function levelRows<Row extends { risk_level: RiskLevel }>(
  all: readonly Row[],
  what: string,
  { linesOf, ...page }: Page & { linesOf: (row: Row) => string[] },
): string[] {
  const listed = all.filter(({ risk_level }) => isAtLeast(risk_level, page.minRisk));
  const below = all.length - listed.length;
  return [
    ...firstRows(listed, what, { ...page, linesOf }),
    ...(below > 0 ? [`… and ${counted(below, what)} below ${page.minRisk}`] : []),
  ];
}

function firstRows<Row>(
  all: readonly Row[],
  what: string,
  { columns, maxRows, linesOf }: Page & { linesOf: (row: Row) => string[] },
): string[] {
  const more = all.length - maxRows;
  const note = `… and ${counted(more, `more ${what}`)}; --min-risk lists fewer, --report json=FILE has all`;
  return [...all.slice(0, maxRows).flatMap(linesOf), ...(more > 0 ? wrapped(note, columns) : [])];
}

function findingLines({ risk_level, rule, actions, address, message }: Finding, page: Page): string[] {
  const subject = address === "" ? "the plan" : `${actionText(actions)} ${address}`;
  return entry(risk_level, [`${rule}  ${subject}`, message], page);
}

function driftLines({ drift }: AnalyzeResult, page: Page): string[] {
  const material = drift.filter(({ noise }) => noise === undefined);
  if (material.length === 0) return [];
  return [
    "",
    `${counted(material.length, "resource")} changed outside code:`,
    ...levelRows(material, "resource", {
      ...page,
      linesOf: ({ risk_level, kind, address }) => entry(risk_level, [`${kind}  ${address}`], page),
    }),
  ];
}

function noiseLines({ noise }: AnalyzeResult, page: Page): string[] {
  if (noise.length === 0) return [];
  return [
    "",
    `${counted(noise.length, "kind")} of noise:`,
    ...firstRows(noise, "kind", { ...page, linesOf: (group) => noiseRow(group, page) }),
  ];
}

/** Names the organization's rules that hide something. */
function hiddenLines(whole: AnalyzeResult, { columns }: Page): string[] {
  const hidden = hiddenByRules(whole).map(({ name, what }) => `hidden by rule "${visible(name)}": ${what}`);
  return hidden.length === 0 ? [] : ["", ...hidden.flatMap((line) => wrapped(line, columns))];
}

function noiseRow(
  { fingerprint, class: kind, resource_type, path_pattern, count }: NoiseGroup,
  { columns, paint }: Page,
): string[] {
  const text = `${kind}  ${resource_type}.${path_pattern}, ${counted(count, "place")}`;
  return [paint("plain", fingerprint), ...wrapped(text, columns - 2).map((line) => `  ${line}`)];
}

function closing(result: AnalyzeResult, { columns, paint }: Page): string[] {
  const { risk_level, risk_counts, risk_profile: profile } = result;
  const counts = countsInWords(risk_counts);
  const risk = [
    `Risk: ${risk_level}`,
    ...(counts === "" ? [] : [` (${counts})`]),
    ...(profile === undefined ? [] : [`, ${profile} profile`]),
  ].join("");
  return [
    "",
    ...wrapped(`Plan: ${planInWords(result)}`, columns),
    ...wrapped(risk, columns).map((line, index) =>
      index === 0 ? line.replace(risk_level, paint(risk_level, risk_level)) : line,
    ),
    ...wrapped(gateText(result), columns),
    // Never wrapped, because a line break would break the link. An analysis without a server has none.
    ...(result.report_url === "" ? [] : [visible(result.report_url)]),
  ];
}

function entry(level: RiskLevel, texts: string[], { columns, paint }: Page): string[] {
  const lines = texts.flatMap((text) => wrapped(text, columns - INDENT.length));
  return lines.map((line, index) =>
    index === 0 ? `${paint(level, level.padEnd(LEVEL_WIDTH))}  ${line}` : INDENT + line,
  );
}
