import type { RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast, worstOf } from "@leeway/shared/risk-levels";

import { citationsOf, resolved } from "./citations.ts";
import { splitCode } from "./code-spans.ts";
import type { Known } from "./known.ts";
import { DATA_KEPT, REASSURANCES } from "./reassurances.ts";

/** Words for levels, ours and those that a model would use in their place. */
const LEVEL_WORDS: Readonly<Record<string, RiskLevel>> = {
  critical: "critical",
  severe: "critical",
  high: "high",
  major: "high",
  medium: "medium",
  moderate: "medium",
  low: "low",
  lower: "low",
  minor: "low",
  minimal: "low",
  slight: "low",
  small: "low",
  little: "low",
  no: "none",
  none: "none",
  zero: "none",
  negligible: "none",
  trivial: "none",
};
const LEVEL = Object.keys(LEVEL_WORDS).join("|");
const TOPIC = String.raw`(?:risks?|severity|danger|threat|impact|concern|hazard|finding|level)`;
/** "low risk", "a low-severity change", "risk level: low", "rated as low". */
const CLAIMS = [
  String.raw`\b(${LEVEL})[-\s]+(?:level\s+|overall\s+|real\s+|significant\s+)?${TOPIC}\b`,
  String.raw`\b${TOPIC}(?:\s+level)?\s*(?:is|are|was|remains?|stays?|of|as|:|=|-|–)*\s*(?:at\s+|only\s+|just\s+|rather\s+|rated\s+|considered\s+|very\s+|quite\s+|therefore\s+)*(${LEVEL})\b`,
  String.raw`\b(?:rated|considered|classified|deemed|ranked|flagged)\s+(?:as\s+|only\s+|to be\s+)*(${LEVEL})\b`,
].map((claim) => new RegExp(claim, "giu"));
const WHOLE = /\b(?:overall|plan|whole|everything|all|total|altogether|snapshot|account|in general)\b/iu;

/** The first thing in a text that makes something less risky than it is known to be; undefined when nothing does. */
export function loweringClaim(text: string, known: Known): string | undefined {
  const words = bareWords(text);
  if (isAtLeast(worstOf([known.level, ...known.levels]), "medium")) {
    const forms = known.terms.has("R01") ? [REASSURANCES, DATA_KEPT] : [REASSURANCES];
    const reassurance = forms
      .flatMap((form) => [...words.matchAll(form)])
      .find((match) => !isDenied(words, match));
    if (reassurance !== undefined) return reassurance[0];
  }
  for (const clause of clausesOf(words)) {
    const claim = lowering(clause, known);
    if (claim !== undefined) return claim;
  }
  return undefined;
}

/** The text without what only dresses it: stress, quotes, code around plain words, ends of lines within a paragraph. */
function bareWords(text: string): string {
  const joined = text.replaceAll(/\n(?!\s*(?:\n|[-*>#]|\d+[.)]))/gu, " ");
  return splitCode(joined)
    .map((piece) => {
      if (piece.code && /[.:/[\]_]/u.test(piece.text)) return `\`${piece.text}\``;
      return piece.text.replaceAll(/[*~"“”`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "");
    })
    .join("");
}

/** "It is not safe to apply" says the opposite. */
function isDenied(text: string, { 0: words, index }: RegExpExecArray): boolean {
  const before = text.slice(Math.max(0, index - 30), index);
  return (
    /\b(?:not|never|isn['’]t|aren['’]t|hardly|far from)\s+(?:\w+\s+)?$/iu.test(before) ||
    /\b(?:not|never)\s+(?:be\s+)?safe/iu.test(words)
  );
}

function lowering(clause: string, known: Known): string | undefined {
  const claims = CLAIMS.flatMap((form) => [...clause.matchAll(form)]).map(([words, level = ""]) => ({
    words,
    level: LEVEL_WORDS[level.toLowerCase()] ?? "none",
  }));
  if (claims.length === 0) return undefined;
  const cited = citationsOf(clause).flatMap((citation) => {
    const subject = resolved(citation, known);
    const level = subject === undefined ? undefined : known.subjects.get(subject);
    return level === undefined ? [] : [level];
  });
  const stated = worstOf(claims.map(({ level }) => level));
  if (cited.length > 0) return isAtLeast(stated, worstOf(cited)) ? undefined : claims[0]?.words;
  if (WHOLE.test(clause) && !isAtLeast(stated, known.level)) return claims[0]?.words;
  return claims.find(({ level }) => level !== known.level && !known.levels.has(level))?.words;
}

/** Parts of sentences that say one thing: lines, sentences, and what a comma or "but" divides. Code stays whole. */
function clausesOf(text: string): string[] {
  const pieces = splitCode(text);
  const held = pieces.map((piece, index) => (piece.code ? `\0${index}\0` : piece.text)).join("");
  return held
    .split(/\n|[.!?;](?=\s|$)|,\s|\s(?:but|while|whereas|although|though|and)\s/u)
    .map((clause) =>
      clause.replaceAll(/\0(\d+)\0/gu, (_whole, index: string) => `\`${pieces[Number(index)]?.text ?? ""}\``),
    );
}
