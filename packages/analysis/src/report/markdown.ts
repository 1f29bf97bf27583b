import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

import { sectionsOf } from "../comment/sections.ts";
import type { AnalysisContext } from "../narrative/context.ts";

/** All of an analysis as one document in Markdown, such as a job's summary; as inert as a comment. */
export function markdownReport(result: AnalyzeResult, context: AnalysisContext): string {
  const { narrative, gate } = result;
  const sections = sectionsOf({ analysis: result, narrative, gate, context });
  return `${sections.map(({ open, lines, close }) => open + lines.join("\n") + close).join("\n\n")}\n`;
}
