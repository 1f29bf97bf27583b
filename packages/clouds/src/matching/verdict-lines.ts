import { choose } from "./choose.ts";
import type { Matcher } from "./matcher.ts";
import type { Pair } from "./model.ts";

/** The result of matching an account. */
export interface Verdict {
  /** The pairs, as `verdictLines`; undefined if the lines of a listing contain them already, or there are none. */
  lines: readonly string[] | undefined;
  /** Result of `Matcher.ambiguous`. */
  ambiguous: readonly string[];
}

/** Returns the result of `matcher` for all resources that it has seen. */
export function verdictOf(matcher: Matcher): Verdict {
  const lines = verdictLines(matcher.pairs());
  return { lines, ambiguous: matcher.ambiguous() };
}

/** Columns of a verdict's line, in order. */
export const VERDICT_COLUMNS = ["live_id", "iac_id", "level", "contested", "chosen", "conflict"] as const;

const LINES_A_PIECE = 2_000;

/** Returns pairs as lines for COPY, thousands in each text. */
export function verdictLines(pairs: readonly Pair[]): string[] {
  const { byLive, conflicts } = choose(pairs);
  const pieces: string[] = [];
  for (let begin = 0; begin < pairs.length; begin += LINES_A_PIECE) {
    let piece = "";
    for (const pair of pairs.slice(begin, begin + LINES_A_PIECE)) {
      const { liveId, declared, level } = pair;
      const chosen = byLive.get(liveId) === pair;
      piece += `${liveId}\t${declared.id}\t${level}\t${declared.contested}\t${chosen}\t${conflicts.has(liveId)}\n`;
    }
    pieces.push(piece);
  }
  return pieces;
}
