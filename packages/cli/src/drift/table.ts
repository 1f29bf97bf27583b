import { countsInWords } from "@leeway/analysis/narrative/counts";
import { flagText } from "@leeway/analysis/narrative/rule-texts";
import { pathText } from "@leeway/analysis/narrative/words";
import { painter, wrapped, type Paint } from "@leeway/analysis/report/lines";
import type { EstateChange } from "@leeway/drift/estate/estate-drift";
import type { UnobservedReason } from "@leeway/drift/estate/presence";
import { counted, grouped } from "@leeway/shared/values/counted";
import { worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import type { Look } from "../terminal.ts";
import type { DriftReport } from "./report.ts";

const LEVEL_WIDTH = "critical".length;
const INDENT = " ".repeat(LEVEL_WIDTH + 2);
const NARROWEST = 40;
/** Rows of one kind that a table lists, worst first. */
const MAX_ROWS = 50;
const MAX_VALUE = 80;
const MAX_PATHS = 5;
const MAX_TYPES = 5;

const HEADS = [
  ["missing", "missing"],
  ["changed", "changed outside code"],
  ["undeclared", "undeclared"],
] as const;

const REASONS: Readonly<Record<UnobservedReason, string>> = {
  account_not_listed: "their account has no listing here",
  type_not_listed: "the listings don't show their type",
  not_identified: "their state doesn't identify them",
  untagged: "they have no tags, and the listing shows only tagged resources",
  incomplete_listing: "the listing is incomplete",
  contested: "several accounts have them",
  ambiguous: "several live resources may be theirs",
};

interface Page {
  columns: number;
  paint: Paint;
}

/** Renders a report for a terminal: accounts, changes by kind with the worst first, what wasn't checked, the verdict. */
export function driftTable(report: DriftReport, { width, colours }: Look): string {
  const page = { columns: Math.max(NARROWEST, width), paint: painter(colours) };
  const lines = [
    ...report.accounts.flatMap((account) => accountLines(account, page)),
    ...HEADS.flatMap(([kind, head]) =>
      kindLines(
        report.changes.filter((change) => change.kind === kind),
        head,
        page,
      ),
    ),
    ...restLines(report, page),
    "",
    ...verdictLines(report, page),
  ];
  return `${lines.join("\n")}\n`;
}

function accountLines(account: DriftReport["accounts"][number], { columns }: Page): string[] {
  const { live_count: live, matched_count: matched, foreign_count: foreign } = account;
  const parts = [
    counted(live, "resource"),
    `${grouped(matched)} declared (${live === 0 ? "no resources" : `${account.coverage_pct} %`})`,
    `${grouped(account.undeclared_count)} undeclared`,
    ...(account.excluded_count > 0 ? [`${grouped(account.excluded_count)} excluded`] : []),
    ...(foreign > 0 ? [`${grouped(foreign)} of other accounts ignored`] : []),
  ];
  const problem =
    account.incomplete === undefined
      ? []
      : [`the listing is incomplete (${account.incomplete}): nothing is reported as missing`];
  return [`${account.provider}:${account.external_id}: ${parts.join(", ")}`, ...problem].flatMap((line) =>
    wrapped(line, columns),
  );
}

function kindLines(changes: readonly EstateChange[], head: string, page: Page): string[] {
  if (changes.length === 0) return [];
  const more = changes.length - MAX_ROWS;
  return [
    "",
    `${grouped(changes.length)} ${head}:`,
    ...changes.slice(0, MAX_ROWS).flatMap((change) => changeLines(change, page)),
    ...(more > 0 ? wrapped(`… and ${grouped(more)} more; --format json has all`, page.columns) : []),
  ];
}

function changeLines(change: EstateChange, { columns, paint }: Page): string[] {
  const { risk_level: level, risk_flags: flags } = change;
  const reasons =
    change.kind === "missing"
      ? []
      : flags.filter(isReason).map((flag) => flag.message ?? flagText(flag).title);
  const texts = [subjectOf(change), ...new Set(reasons), ...differences(change)];
  const lines = texts.flatMap((text) => wrapped(text, columns - INDENT.length));
  return lines.map((line, index) =>
    index === 0 ? `${paint(level, level.padEnd(LEVEL_WIDTH))}  ${line}` : INDENT + line,
  );
}

/** Whether a flag says more than that the resource exists. */
function isReason({ rule }: EstateChange["risk_flags"][number]): boolean {
  return rule !== "R20";
}

function subjectOf({
  address,
  resource_type,
  resource_name,
  provider_resource_id = "",
}: EstateChange): string {
  return address ?? `${resource_type}  ${resource_name ?? provider_resource_id}`;
}

function differences({ kind, attribute_changes: all }: EstateChange): string[] {
  if (kind !== "changed") return [];
  const lines = all.slice(0, MAX_PATHS).map(({ path, before, after, before_sensitive, after_sensitive }) => {
    const values = [
      before_sensitive ? "(sensitive)" : shown(before),
      after_sensitive ? "(sensitive)" : shown(after),
    ];
    return `${pathText(path)}: ${values.join(" → ")}`;
  });
  return all.length > MAX_PATHS ? [...lines, `… and ${all.length - MAX_PATHS} more attributes`] : lines;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text;
}

/** Counts what each rule hides. */
function hiddenLines({ hidden }: DriftReport): string[] {
  return byCount(hidden, ({ hidden_by }) => hidden_by?.name ?? "").map(
    ([name, changes]) =>
      `${counted(changes.length, "change")} hidden by rule "${name}"; --format json has them`,
  );
}

function restLines(report: DriftReport, { columns }: Page): string[] {
  const { noise, known_count: known, unobserved } = report;
  const lines = [
    ...(noise.length > 0
      ? [`${counted(noise.length, "change")} hidden as noise; --format json has them`]
      : []),
    ...hiddenLines(report),
    ...(known > 0 ? [`${counted(known, "change")} already in the earlier report`] : []),
    ...uncheckedLines(unobserved),
  ];
  return lines.length === 0 ? [] : ["", ...lines.flatMap((line) => wrapped(line, columns))];
}

function uncheckedLines(unobserved: DriftReport["unobserved"]): string[] {
  if (unobserved.length === 0) return [];
  const groups = byCount(unobserved, ({ reason }) => reason);
  return [
    `${counted(unobserved.length, "declared resource")} not checked:`,
    ...groups.map(([reason, rows]) => {
      const types = byCount(rows, ({ resource_type }) => resource_type);
      const named = types.slice(0, MAX_TYPES).map(([type, { length }]) => `${type} (${grouped(length)})`);
      const more = types.length > MAX_TYPES ? [`${grouped(types.length - MAX_TYPES)} more types`] : [];
      return `- ${REASONS[reason]}: ${[...named, ...more].join(", ")}`;
    }),
  ];
}

/** Groups rows, the largest group first. */
function byCount<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): [Key, Row[]][] {
  return [...Map.groupBy(rows, keyOf)].toSorted(([, a], [, b]) => b.length - a.length);
}

function verdictLines(report: DriftReport, { columns, paint }: Page): string[] {
  const { risk_level: level, undeclared_risk_level: undeclared } = report;
  const risks = [
    `Risk: ${paint(level, level)}${inBrackets(countsInWords(report.risk_counts))}`,
    ...(undeclared === "none"
      ? []
      : [
          `undeclared: ${paint(undeclared, undeclared)}${inBrackets(countsInWords(report.undeclared_risk_counts))}`,
        ]),
    `${report.risk_profile} profile`,
  ];
  return [risks.join("; "), ...wrapped(gateText(report), columns)];
}

function gateText({ gate: { fail_on: limit, passed }, ...report }: DriftReport): string {
  if (limit === "never") return "no gate (--fail-on isn't set)";
  const worst = worstOf([report.risk_level, report.undeclared_risk_level]);
  return `gate ${passed ? "passed" : "failed"}: worst change is ${worst}, limit is ${limit}`;
}

function inBrackets(text: string): string {
  return text === "" ? "" : ` (${text})`;
}
