import type { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";

const json = (result: AnalyzeResult): string => `${JSON.stringify(result, null, 2)}\n`;

/** A result as text, ready to be written. */
type Render = (result: AnalyzeResult) => string;

const RENDERS = {
  table: json,
  json,
  markdown: json,
  sarif: json,
  junit: json,
  "gitlab-codequality": json,
} as const satisfies Record<string, Render>;
export type Format = keyof typeof RENDERS;

export const FORMATS = Object.keys(RENDERS);

/** @throws {Error} that says what is known. */
export function parseFormat(raw: string): Format {
  if (!isFormat(raw)) throw new Error(`must be one of ${FORMATS.join(", ")}`);
  return raw;
}

export function render(format: Format, result: AnalyzeResult): string {
  return RENDERS[format](result);
}

function isFormat(raw: string): raw is Format {
  return Object.hasOwn(RENDERS, raw);
}
