import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";

import { visible } from "../narrative/markdown.ts";

const STYLES: Readonly<Record<RiskLevel | "plain", string>> = {
  critical: "1;31",
  high: "31",
  medium: "33",
  low: "36",
  none: "32",
  plain: "2",
};
export type Paint = (style: RiskLevel | "plain", text: string) => string;

/** Returns a function that colours text by its level. */
export function painter(colours: boolean): Paint {
  return (style, text) => (colours ? `\u001B[${STYLES[style]}m${text}\u001B[0m` : text);
}

/** Wraps text into lines of at most `columns` characters, at spaces if possible. */
export function wrapped(text: string, columns: number): string[] {
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
