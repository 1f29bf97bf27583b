import type { Narrative, NarrativeAnswer } from "@leeway/shared/contracts/analyzer/analysis";
import { redactText } from "@leeway/shared/security/redaction/redact";
import { Value } from "@sinclair/typebox/value";

import { addressPattern, hasForeignAddress } from "./addresses.ts";
import { answerMarkdown } from "./answer-markdown.ts";
import { ModelAnswer } from "./answer-schema.ts";
import { sentence } from "./markdown.ts";
import { plainText } from "./plain-text.ts";

/** Data that an answer may refer to. */
export interface Known {
  /** Labels by finding id, in the order of the rules. */
  names: ReadonlyMap<string, string>;
  /** JSON that the model saw. Every address in an answer must occur in it. */
  data: string;
}

/** Longer answers aren't parsed. */
const LONGEST_ANSWER = 64 * 1024;
const FENCED = /^```(?:json)?[ \t]*\r?\n([^]*)\n[ \t]*```$/u;

/**
 * Parses a model's answer for display. Undefined if it isn't the requested JSON, names an unknown id, or has no text
 * left. Drops texts with a foreign address or a secret.
 */
export function readAnswer(text: string, known: Known): Pick<Narrative, "text" | "answer"> | undefined {
  const parsed = parsedAnswer(text);
  if (parsed?.findings.every(({ id }) => known.names.has(id)) !== true) return undefined;
  const answer = shownAnswer(parsed, known);
  if (answer.summary === undefined && answer.findings.length === 0) return undefined;
  return { text: answerMarkdown(answer, known.names), answer };
}

function parsedAnswer(text: string): ModelAnswer | undefined {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_ANSWER) return undefined;
  try {
    const value: unknown = JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed);
    return Value.Check(ModelAnswer, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Sorts findings in the order of the rules, each id once. */
function shownAnswer({ summary, findings }: ModelAnswer, { names, data }: Known): NarrativeAnswer {
  const pattern = addressPattern(data);
  const shown = (text = ""): string | undefined => {
    const plain = plainText(text, pattern);
    if (plain === "" || redactText(plain) !== plain || hasForeignAddress(plain, data)) return undefined;
    return sentence(plain);
  };
  const first = new Map(findings.toReversed().map((finding) => [finding.id, finding]));
  const entries = Array.from(names.keys()).flatMap((id) => {
    const finding = first.get(id);
    const explanation = finding && shown(finding.explanation);
    if (explanation === undefined) return [];
    const check = shown(finding?.check);
    return [{ id, explanation, ...(check !== undefined && { check }) }];
  });
  const about = shown(summary);
  return { ...(about !== undefined && { summary: about }), findings: entries };
}
