import type { Matcher, Pair } from "./matcher.ts";

/** What matching finds in an account. */
export interface Verdict {
  /** Its pairs, as `verdictLines`; undefined where the lines of a listing tell them already, or there are none. */
  lines: readonly string[] | undefined;
  /** As `Matcher.ambiguous`. */
  ambiguous: readonly string[];
}

/** What `matcher` makes of all that it has seen. */
export function verdictOf(matcher: Matcher): Verdict {
  const lines = verdictLines(matcher.pairs());
  return { lines, ambiguous: matcher.ambiguous() };
}

/** Columns of a verdict's line, in order. */
export const VERDICT_COLUMNS = ["live_id", "iac_id", "level", "contested", "chosen", "conflict"] as const;

const LINES_A_PIECE = 2_000;

/**
 * Pairs as lines for COPY, some thousand in each text. Pairs come surest first, so that a live resource's first is the
 * one to go by; of several sources, the oldest's, and of one source the oldest.
 */
export function verdictLines(pairs: readonly Pair[]): string[] {
  const firsts = new Map<string, Pair>();
  const conflicts = new Set<string>();
  for (const pair of pairs) {
    if (pair.declared.contested) continue;
    const first = firsts.get(pair.liveId);
    if (!first || isElder(pair, first)) firsts.set(pair.liveId, pair);
    if (first && !pair.declared.inline) conflicts.add(pair.liveId);
  }
  const pieces: string[] = [];
  for (let begin = 0; begin < pairs.length; begin += LINES_A_PIECE) {
    let piece = "";
    for (const pair of pairs.slice(begin, begin + LINES_A_PIECE)) {
      const { liveId, declared, level } = pair;
      const chosen = firsts.get(liveId) === pair;
      piece += `${liveId}\t${declared.id}\t${level}\t${declared.contested}\t${chosen}\t${conflicts.has(liveId)}\n`;
    }
    pieces.push(piece);
  }
  return pieces;
}

function isElder(pair: Pair, than: Pair): boolean {
  const { declared, level } = than;
  return (
    pair.level === level &&
    pair.declared.inline === declared.inline &&
    `${pair.declared.sourceId} ${pair.declared.id}` < `${declared.sourceId} ${declared.id}`
  );
}
