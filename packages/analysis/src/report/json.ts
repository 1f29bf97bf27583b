import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

/** Writes the complete result as JSON. */
export function jsonReport(result: AnalyzeResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
