import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

/** The result itself, for programs. */
export function jsonReport(result: AnalyzeResult): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
