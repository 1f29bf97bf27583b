import type { AnalysisContext } from "@leeway/analysis/narrative/context";
import { annotationsReport } from "@leeway/analysis/report/annotations";
import { codeQualityReport } from "@leeway/analysis/report/code-quality";
import { jsonReport } from "@leeway/analysis/report/json";
import { junitReport } from "@leeway/analysis/report/junit";
import type { Locations } from "@leeway/analysis/report/locations";
import { markdownReport } from "@leeway/analysis/report/markdown";
import { sarifReport } from "@leeway/analysis/report/sarif";
import { tableReport, type TableLook } from "@leeway/analysis/report/table";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

import { oneOf } from "../arguments.ts";

/** The input of a report besides the result. */
interface Setting {
  context: AnalysisContext;
  look: TableLook;
  locations: Locations;
}
type Render = (result: AnalyzeResult, setting: Setting) => string;

const RENDERS = {
  table: (result, { look }) => tableReport(result, look),
  json: jsonReport,
  markdown: (result, { context }) => markdownReport(result, context),
  sarif: (result, { context, locations }) => sarifReport(result, context, locations),
  junit: (result, { context, locations }) => junitReport(result, context, locations),
  "gitlab-codequality": (result, { context, locations }) => codeQualityReport(result, context, locations),
  "github-annotations": (result, { context, locations }) => annotationsReport(result, context, locations),
} as const satisfies Record<string, Render>;
export type Format = keyof typeof RENDERS;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const FORMATS = Object.keys(RENDERS) as readonly Format[];

/** Formats whose readers show a finding at its place in the code. */
export const LOCATED: ReadonlySet<Format> = new Set([
  "sarif",
  "junit",
  "gitlab-codequality",
  "github-annotations",
]);

/**
 * Parses a format.
 * @throws {Error} that lists the known formats
 */
export function parseFormat(raw: string): Format {
  return oneOf(FORMATS, raw);
}

/** Renders a result as the text of a report. */
export function render(format: Format, result: AnalyzeResult, setting: Setting): string {
  const write: Render = RENDERS[format];
  return write(result, setting);
}
