import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

import { sectionsOf } from "../comment/sections.ts";
import type { AnalysisContext } from "../narrative/context.ts";

/** Renders an analysis as one Markdown document, such as a CI job's summary. Text from outside can't act in it. */
export function markdownReport(result: AnalyzeResult, context: AnalysisContext): string {
  const { narrative, gate, report_url: reportUrl } = result;
  const sections = sectionsOf({ analysis: result, narrative, gate, context, reportUrl });
  return `${sections.map(({ open, lines, close }) => open + lines.join("\n") + close).join("\n\n")}\n`;
}
