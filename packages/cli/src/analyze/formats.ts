import type { AnalysisContext } from "@leeway/analysis/narrative/context";
import { codeQualityReport } from "@leeway/analysis/report/code-quality";
import { jsonReport } from "@leeway/analysis/report/json";
import { junitReport } from "@leeway/analysis/report/junit";
import { markdownReport } from "@leeway/analysis/report/markdown";
import { sarifReport } from "@leeway/analysis/report/sarif";
import { tableReport } from "@leeway/analysis/report/table";
import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

import type { Look } from "../terminal.ts";

/** What a report goes by besides the result. */
interface Setting {
  context: AnalysisContext;
  look: Look;
}
type Render = (result: AnalyzeResult, setting: Setting) => string;

const RENDERS = {
  table: (result, { look }) => tableReport(result, look),
  json: jsonReport,
  markdown: (result, { context }) => markdownReport(result, context),
  sarif: (result, { context }) => sarifReport(result, context),
  junit: (result, { context }) => junitReport(result, context),
  "gitlab-codequality": (result, { context }) => codeQualityReport(result, context),
} as const satisfies Record<string, Render>;
export type Format = keyof typeof RENDERS;

export const FORMATS = Object.keys(RENDERS);

/** @throws {Error} that says what is known. */
export function parseFormat(raw: string): Format {
  if (!isFormat(raw)) throw new Error(`must be one of ${FORMATS.join(", ")}`);
  return raw;
}

/** A result as text, ready to be written. */
export function render(format: Format, result: AnalyzeResult, setting: Setting): string {
  const write: Render = RENDERS[format];
  return write(result, setting);
}

function isFormat(raw: string): raw is Format {
  return Object.hasOwn(RENDERS, raw);
}
