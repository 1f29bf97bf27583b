import type { Analysis } from "@leeway/shared/contracts/analyzer/analysis";
import { redactText } from "@leeway/shared/redaction/redact";
import { isAtLeast } from "@leeway/shared/risk-levels";

import { citationsOf, resolved } from "./citations.ts";
import { loweringClaim } from "./claims.ts";
import { splitCode } from "./code-spans.ts";
import { isForeign } from "./english.ts";
import { knownOfAnalysis, normalized, type Known } from "./known.ts";
import { shorten, tame } from "./markdown.ts";
import { LONGEST_ANSWER } from "./prompt.ts";

/** A model's answer that may be shown, with everything in it that could act made inert; or why it may not. */
export type CheckedNarrative = { ok: true; text: string } | { ok: false; reason: string };

/**
 * Whether a model's answer keeps to what an analysis says: it cites only what is there, lowers nothing, and holds
 * no secret, link, image or HTML.
 */
export function checkedNarrative(text: string, analysis: Analysis): CheckedNarrative {
  return checkedAgainst(text, knownOfAnalysis(analysis));
}

/** As {@link checkedNarrative}, for anything of which it is known what may be said. */
export function checkedAgainst(text: string, known: Known): CheckedNarrative {
  const answer = normalized(text).trim();
  for (const check of CHECKS) {
    const reason = check(answer, known);
    if (reason !== undefined) return { ok: false, reason };
  }
  return { ok: true, text: tame(answer) };
}

/** Each says what is wrong with an answer, or undefined. */
const CHECKS: readonly ((text: string, known: Known) => string | undefined)[] = [
  (text) => (text === "" ? "it is empty" : undefined),
  (text) => (text.length > LONGEST_ANSWER ? `it is longer than ${LONGEST_ANSWER} characters` : undefined),
  (text) => (redactText(text) === text ? undefined : "it holds what looks like a secret"),
  (text) => (/\p{Cf}|\p{Co}|(?!\s)\p{Cc}/u.test(text) ? "it holds characters that can't be seen" : undefined),
  (text, known) => (/<[a-z/!?]|&#?\w{1,32};/iu.test(besideNames(text, known)) ? "it holds HTML" : undefined),
  (text, known) =>
    /\]\s?[([]|^ {0,3}\[[^\]]*\]:|:\/\/|\bwww\.|\b(?:mailto|javascript|data):\S/imu.test(
      besideNames(text, known),
    )
      ? "it holds a link or an image"
      : undefined,
  (text) => (/^\s*(?:```|~~~)/mu.test(text) ? "it holds a block of code" : undefined),
  (text) => {
    const words = splitCode(text).filter((piece) => !piece.code);
    const foreign = words.some((piece) => /(?!\p{Script=Latin})\p{L}/u.test(piece.text));
    const isOther = foreign || isForeign(words.map((piece) => piece.text).join(" "));
    return isOther ? "it isn't in English" : undefined;
  },
  unknownCitation,
  (text, known) => {
    const claim = loweringClaim(text, known);
    return claim === undefined ? undefined : `it lowers a level: ${shorten(claim, 100)}`;
  },
  (text, { level }) =>
    isAtLeast(level, "medium") && !new RegExp(String.raw`\b${level}\b`, "iu").test(text)
      ? `it doesn't say that the risk is ${level}`
      : undefined,
];

/** The text without the code that names what is there: a key may be a host's name, or an address on the web. */
function besideNames(text: string, known: Known): string {
  return splitCode(text)
    .map((piece) => {
      if (!piece.code) return piece.text;
      const named = resolved(piece.text.trim(), known) ?? "";
      return known.subjects.has(named) ? "``" : `\`${piece.text}\``;
    })
    .join("");
}

function unknownCitation(text: string, known: Known): string | undefined {
  const unknown = citationsOf(text).find((citation) => resolved(citation, known) === undefined);
  return unknown === undefined ? undefined : `it cites what isn't there: ${shorten(unknown, 100)}`;
}
