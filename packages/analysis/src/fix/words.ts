import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import { redactText } from "@leeway/shared/redaction/redact";

import { checkedAgainst, type CheckedNarrative } from "../narrative/check.ts";
import { boundedLines } from "../narrative/fence.ts";
import { Vocabulary, type Known } from "../narrative/known.ts";
import { ANSWER_RULES, promptOf, type NarrativePrompt } from "../narrative/prompt.ts";

/** What a model needs of a fix to word it, and may name in its words. */
type Fix = Pick<FixResult, "strategy" | "explanation" | "risks" | "hcl">;

const MOST_LINES = 200;
const LINE_END = /\r?\n/;
const HEREDOC = /<<-?([\p{L}_][\p{L}\p{N}_-]*)/u;

const SYSTEM = `You explain to an engineer why a plan shows a change that means nothing, and how a fix that a template has made already stops it. You don't change the fix and propose no other: say what it does and what is given up with it. Your words come behind the explanation: don't repeat it.
- ${ANSWER_RULES}`;

/** What to ask a model about a fix. Its block is told line by line, without secrets, also those of several lines. */
export function fixPrompt({ strategy, explanation, risks, hcl }: Fix): NarrativePrompt {
  const told = withoutHeredocs(hcl.split(LINE_END)).slice(0, MOST_LINES);
  const records = redactText(told.join("\n"))
    .split("\n")
    .map((text) => ({ text }));
  const shares = [{ name: "line", records, until: 1 }];
  return promptOf(SYSTEM, "Explain this fix.", (most) =>
    boundedLines({ strategy, explanation, risks }, shares, most),
  );
}

/** What such a text holds, a key or a script say, has no name beside it that would show it as a secret. */
function withoutHeredocs(lines: readonly string[]): string[] {
  let end: string | undefined;
  return lines.filter((line) => {
    if (end !== undefined && line.trim() !== end) return false;
    end = end === undefined ? HEREDOC.exec(line)?.[1] : undefined;
    return true;
  });
}

/** A model's words, when all that they name is in the fix; else the template's stand alone. */
export function checkedFixWords(text: string, fix: Fix): CheckedNarrative {
  return checkedAgainst(text, knownOfFix(fix));
}

const NAME = /[\p{L}_][\p{L}\p{N}_-]*/gu;
const TRAVERSAL = /[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[(?:\d+|"[^"\\]*")\])+/gu;
const CODE = /`([^`]+)`/gu;
const RESOURCE = /^resource[ \t]+"?([\w-]+)"?[ \t]+"?([\w-]+)"?[ \t]*\{/gmu;

function knownOfFix({ strategy, explanation, risks, hcl }: Fix): Known {
  const vocabulary = new Vocabulary();
  for (const [, type = "", name = ""] of hcl.matchAll(RESOURCE))
    vocabulary.subject(`${type}.${name}`, "none");
  const named = [explanation, ...risks].flatMap((text) =>
    Array.from(text.matchAll(CODE), ([, name = ""]) => name),
  );
  vocabulary.term(
    strategy,
    ...named,
    ...named.flatMap((name) => name.split(".")),
    ...(hcl.match(NAME) ?? []),
    ...(hcl.match(TRAVERSAL) ?? []),
  );
  return vocabulary.known("none");
}
