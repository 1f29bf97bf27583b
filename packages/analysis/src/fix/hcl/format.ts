import type { Node } from "web-tree-sitter";

import type { Edit, Span } from "./edits.ts";
import { isSpaced, nestingOf } from "./spacing.ts";
import { tokensOf, type Token } from "./tokens.ts";

/** A token and the number of spaces before it. */
interface Cell extends Token {
  spaces: number;
}

/** A line as Terraform's formatter splits it: the lead, an assignment to align, and a comment to align. */
interface Line {
  lead: Cell[];
  assign: Cell[];
  comment: Cell[];
}

/**
 * Returns the whitespace edits that `terraform fmt` would make in a top-level block. With `only`, limits them to
 * these lines and lines aligned with them.
 */
export function formatEdits(block: Node, text: string, only?: readonly Span[]): Edit[] {
  const lines = linesOf(tokensOf(block, text), text);
  indent(lines);
  for (const { lead, assign } of lines) for (const cells of [lead, assign]) space(cells);
  const chains = [...align(lines, "assign"), ...align(lines, "comment")];
  const edits = lines.map((line) => lineEdits(line, text));
  if (only === undefined) return [...edits.flat(), ...blankLines(lines, text)];
  const wanted = new Set(lines.filter((line) => touches(line, only, text)));
  for (const chain of chains)
    if (chain.some((line) => wanted.has(line))) for (const line of chain) wanted.add(line);
  return lines.flatMap((line, index) => (wanted.has(line) ? (edits[index] ?? []) : []));
}

/** Checks whether `terraform fmt` would leave the block unchanged. */
export function isFormatted(block: Node, text: string): boolean {
  return formatEdits(block, text).length === 0 && !isRewritten(block);
}

/** Checks for changes beyond whitespace: unquoted labels, and values that are a single interpolation. */
function isRewritten(block: Node): boolean {
  const head = block.children.filter((part) => part?.type === "identifier");
  return head.length > 1 || /=[ \t]*"\$\{[^"{}]*\}"[ \t]*\r?$/m.test(block.text);
}

const cellsOf = ({ lead, assign, comment }: Line): Cell[] => [...lead, ...assign, ...comment];

function touches(line: Line, spans: readonly Span[], text: string): boolean {
  const cells = cellsOf(line);
  const [first, last] = [cells[0], cells.at(-1)];
  if (first === undefined || last === undefined) return false;
  const from = spacesBefore(text, first.start);
  return spans.some(({ start, end }) => (from < end || from === start) && last.end >= start);
}

function linesOf(tokens: readonly Token[], text: string): Line[] {
  const rows: Cell[][] = [];
  let end: number | undefined;
  for (const token of tokens) {
    const breaks = end === undefined ? 1 : newLines(text.slice(end, token.start), token.isGlued);
    for (let count = 0; count < breaks; count += 1) rows.push([]);
    rows.at(-1)?.push({ ...token, spaces: token.isGlued ? token.start - (end ?? token.start) : 0 });
    ({ end } = token);
  }
  return rows.map(lineOf);
}

const newLines = (gap: string, isGlued: boolean): number => (isGlued ? 0 : gap.split("\n").length - 1);

function lineOf(cells: Cell[]): Line {
  const hasComment = cells.length > 1 && cells.at(-1)?.type === "comment";
  const comment = hasComment ? cells.slice(-1) : [];
  const code = hasComment ? cells.slice(0, -1) : cells;
  const equals = code.findIndex(({ type }, index) => index > 0 && type === "=");
  const isWhole = equals !== -1 && sum(code.slice(equals).map(nestingOf)) === 0;
  return isWhole
    ? { lead: code.slice(0, equals), assign: code.slice(equals), comment }
    : { lead: code, assign: [], comment };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function indent(lines: readonly Line[]): void {
  const open: number[] = [];
  for (const { lead, assign } of lines) {
    const [first] = lead;
    if (first === undefined) continue;
    const net = sum([...lead, ...assign].map(nestingOf));
    if (net < 0) close(open, -net);
    first.spaces = 2 * open.length;
    if (net > 0) open.push(net);
  }
}

/** Closes brackets. Several opened on one line indent only one step. */
function close(open: number[], count: number): void {
  let left = count;
  while (left > 0) {
    const last = open.pop();
    if (last === undefined) return;
    if (last > left) open.push(last - left);
    left -= last;
  }
}

function space(cells: Cell[]): void {
  cells.forEach((cell, index) => {
    const [before, previous] = [cells[index - 2], cells[index - 1]];
    if (previous && !cell.isGlued) cell.spaces = isSpaced(before, previous, cell) ? 1 : 0;
  });
}

/** Aligns a cell over consecutive lines, and returns the lines that were aligned together. */
function align(lines: readonly Line[], cell: "assign" | "comment"): Line[][] {
  const chains: Line[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isMember = line[cell].length > 0;
    if (isMember && isOpen) chains.at(-1)?.push(line);
    else if (isMember) chains.push([line]);
    isOpen = isMember;
  }
  for (const chain of chains) {
    const columns = chain.map((line) =>
      width(cell === "assign" ? line.lead : [...line.lead, ...line.assign]),
    );
    const most = Math.max(...columns);
    chain.forEach((line, index) => {
      const [first] = line[cell];
      if (first) first.spaces = most - (columns[index] ?? 0) + 1;
    });
  }
  return chains;
}

const graphemes = new Intl.Segmenter();
const columnsOf = (text: string): number =>
  /^[ -~]*$/.test(text) ? text.length : [...graphemes.segment(text)].length;
const width = (cells: readonly Cell[]): number =>
  sum(cells.map(({ text, spaces }) => spaces + columnsOf(text)));

function lineEdits(line: Line, text: string): Edit[] {
  const edits: Edit[] = [];
  cellsOf(line).forEach((cell) => {
    if (cell.isGlued) return;
    const start = spacesBefore(text, cell.start);
    const wanted = " ".repeat(cell.spaces);
    if (text.slice(start, cell.start) !== wanted) edits.push({ start, end: cell.start, text: wanted });
  });
  const last = cellsOf(line).at(-1);
  if (last === undefined) return edits;
  const [trailing = ""] = /^[ \t]*(?=\r?\n)/.exec(text.slice(last.end, last.end + 1_000)) ?? [];
  if (trailing) edits.push({ start: last.end, end: last.end + trailing.length, text: "" });
  return edits;
}

function spacesBefore(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && (text[start - 1] === " " || text[start - 1] === "\t")) start -= 1;
  return start;
}

/** Removes trailing whitespace from blank lines. */
function blankLines(lines: readonly Line[], text: string): Edit[] {
  const cells = lines.flatMap(cellsOf);
  return cells.flatMap((cell, index) => {
    const previous = cells[index - 1];
    if (previous === undefined || cell.isGlued) return [];
    const gap = text.slice(previous.end, cell.start);
    return Array.from(gap.matchAll(/(?<=\n)[ \t]+(?=\r?\n)/g), ({ 0: { length }, index: at }) => ({
      start: previous.end + at,
      end: previous.end + at + length,
      text: "",
    }));
  });
}
