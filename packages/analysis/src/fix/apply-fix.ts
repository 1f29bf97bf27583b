import { posix } from "node:path";

import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

import { bodyOf, isWellFormed, type Block } from "./hcl/body.ts";
import { applyEdits, type Edit, type Span } from "./hcl/edits.ts";
import { formatEdits, isFormatted } from "./hcl/format.ts";
import { parseHcl } from "./hcl/parse-hcl.ts";
import type { ProjectFile } from "./project.ts";
import type { FileEdit } from "./template.ts";

/** Files after the edits. */
export interface Applied {
  patches: FixResult["patches"];
  hcl: string;
  /** The changed files with their new text. */
  files: readonly { path: string; text: string }[];
  parsed: boolean;
  formatted: boolean;
  /** Reason why the edits were discarded. */
  refusal?: string;
}

/** Applies the edits, formats the touched blocks and parses the result again. */
export async function applyFix(edits: readonly FileEdit[]): Promise<Applied> {
  const byFile = Map.groupBy(edits, ({ file }) => file);
  const results: Edited[] = [];
  for (const [file, own] of byFile) results.push(await editFile(file, own));
  const parsed = results.every((result) => result.parsed);
  const formatted = parsed && results.every((result) => result.formatted);
  const refused = { patches: [], hcl: "", files: [], parsed, formatted };
  if (!parsed) return { ...refused, refusal: "The changed files don't parse, so no change was kept" };
  const changed = results.filter(({ file, text }) => text !== file.text);
  const patches = changed.map(patchOf).filter((patch) => patch !== undefined);
  if (patches.length < changed.length)
    return { ...refused, refusal: "The fix would change too many lines for a patch" };
  const files = changed.map(({ file: { path }, text }) => ({ path, text }));
  return { patches, hcl: results.flatMap(({ blocks }) => blocks).join("\n\n"), files, parsed, formatted };
}

/** Formats a text, and reports whether that was possible. */
export async function formatAll(
  text: string,
): Promise<{ text: string; parsed: boolean; formatted: boolean }> {
  const whole = [{ start: 0, end: text.length }];
  const edits = await withBlocks(text, whole, (blocks) =>
    blocks.flatMap(({ node }) => formatEdits(node, text)),
  );
  const { text: result } = applyEdits(text, edits ?? []);
  const formatted = await withBlocks(result, whole, (blocks) =>
    blocks.every(({ node }) => isFormatted(node, result)),
  );
  return { text: result, parsed: formatted !== undefined, formatted: formatted ?? false };
}

interface Edited {
  file: ProjectFile;
  text: string;
  blocks: string[];
  parsed: boolean;
  formatted: boolean;
}

/** Formats a whole block only if it was formatted before; in others, only touched lines and those aligned with them. */
async function editFile(file: ProjectFile, edits: readonly Edit[]): Promise<Edited> {
  const wasFormatted = file.blocks
    .filter(({ node }) => edits.some((edit) => overlaps(node, edit)))
    .every(({ node }) => isFormatted(node, file.text));
  const edited = applyEdits(file.text, edits);
  const only = wasFormatted ? undefined : edited.changed;
  const spaced = await withBlocks(edited.text, edited.changed, (blocks) =>
    blocks.flatMap(({ node }) => formatEdits(node, edited.text, only)),
  );
  if (spaced === undefined) return { file, ...FAILED };
  const { text, changed } = applyEdits(edited.text, spaced);
  const touched = [...shifted(edited.changed, spaced), ...changed];
  const seen = await withBlocks(text, touched, (blocks) => ({
    blocks: blocks.map(({ node }) => node.text),
    formatted: blocks.every(({ node }) => isFormatted(node, text)),
  }));
  return seen ? { file, text, parsed: true, ...seen } : { file, ...FAILED };
}

const FAILED = { text: "", blocks: [], parsed: false, formatted: false };

/** Parses a text and maps its changed blocks; undefined if the text can't be parsed. */
async function withBlocks<T>(
  text: string,
  changed: readonly Span[],
  read: (blocks: Block[]) => T,
): Promise<T | undefined> {
  const syntax = await parseHcl(text);
  try {
    if (syntax === undefined || !isWellFormed(syntax.root)) return undefined;
    const { blocks } = bodyOf(syntax.root);
    return read(
      blocks.filter(({ node: { startIndex, endIndex } }) => isIn({ startIndex, endIndex }, changed)),
    );
  } finally {
    syntax?.free();
  }
}

/**
 * Checks whether a place changed. Takes plain offsets, because reading an index of a node calls into the parser each
 * time.
 */
function isIn(place: { startIndex: number; endIndex: number }, changed: readonly Span[]): boolean {
  return changed.some((span) => overlaps(place, span));
}

function overlaps(
  { startIndex, endIndex }: { startIndex: number; endIndex: number },
  { start, end }: Span,
): boolean {
  return startIndex < end ? start < endIndex : startIndex <= end && start < endIndex;
}

/** Returns where spans (in order) end up after edits before and inside them. */
function shifted(spans: readonly Span[], edits: readonly Edit[]): Span[] {
  const inOrder = edits.toSorted((a, b) => a.end - b.end);
  let [at, moved] = [0, 0];
  const shift = (offset: number): number => {
    for (let edit = inOrder[at]; edit && edit.end <= offset; edit = inOrder[at]) {
      moved += edit.text.length - (edit.end - edit.start);
      at += 1;
    }
    return offset + moved;
  };
  return spans.map(({ start, end }) => ({ start: shift(start), end: shift(end) }));
}

/** Longer patches are unreviewable, and the time to build one grows quadratically: this size takes one second. */
const MAX_CHANGED_LINES = 1_000;

function patchOf({ file, text }: Edited): FixResult["patches"][number] | undefined {
  const { path } = file;
  const place = posix.normalize(path); // git rejects patches of `./main.tf`
  const diff = createTwoFilesPatch(`a/${place}`, `b/${place}`, file.text, text, undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: MAX_CHANGED_LINES,
  });
  return diff === undefined ? undefined : { path, diff };
}
