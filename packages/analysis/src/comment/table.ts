import { counted } from "@leeway/shared/values/counted";
import { cell, code, prose } from "../narrative/markdown.ts";
import type { ReportRow } from "./rows.ts";

/** Lines that belong together, with the text around them in every part: a table's head, a fold. */
export interface Section {
  open: string;
  lines: readonly string[];
  close: string;
}

/** Longer cells don't fit a comment; the job's result lists every address. */
const MAX_CELL_LENGTH = 6_000;

/** Renders report rows as a Markdown table; empty if there are no rows. */
export function rowTable(rows: readonly ReportRow[]): Section[] {
  return table(
    ["Level", "Resource", "Change", "Rule"],
    rows.map(({ risk_level, addresses, change, rule }) => [
      `**${risk_level}**`,
      resources(addresses),
      prose(change),
      prose(rule),
    ]),
  );
}

/** Renders the addresses of a row, folded if there are many. */
function resources(addresses: readonly string[]): string {
  const [only, ...others] = addresses;
  if (only === undefined) return "the plan";
  if (others.length === 0) return code(only);
  let room = MAX_CELL_LENGTH;
  const listed: string[] = [];
  for (const address of addresses) {
    const text = code(address);
    room -= text.length;
    if (room < 0) break;
    listed.push(text);
  }
  const more = addresses.length - listed.length;
  const all = more > 0 ? [...listed, `${more} more`] : listed;
  return `<details><summary>${counted(addresses.length, "resource")}</summary>${all.join("<br>")}</details>`;
}

/**
 * Renders a Markdown table.
 * @param rows cells without line breaks
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): Section[] {
  if (rows.length === 0) return [];
  const open = `${line(head)}\n|${" --- |".repeat(head.length)}\n`;
  return [{ open, lines: rows.map(line), close: "" }];
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((one) => cell(one)).join(" | ")} |`;
}

/**
 * Folds sections behind a title.
 * @param title trusted HTML, built only from our own text
 */
export function folded(title: string, sections: readonly Section[]): Section[] {
  return sections.map(({ open, lines, close }) => ({
    open: `<details><summary>${title}</summary>\n\n${open}`,
    lines,
    close: `${close}\n\n</details>`,
  }));
}

export function paragraph(...lines: string[]): Section {
  return { open: "", lines, close: "" };
}
