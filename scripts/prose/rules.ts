import { commentsOf, paragraphsOf, type Passage } from "./read-prose.ts";

/** Kinds of findings: a sentence that opens without a subject, a word to avoid, a sentence that is too long. */
export type Rule = "opening" | "word" | "length";

export interface Finding {
  rule: Rule;
  /** From 1. */
  line: number;
  message: string;
}

const OPENINGS = /^(?:What|Who|Whoever|Whom|Whose|Of|Has|Those)\b/;
const WORDS = /\b(?:tell|tells|told|telling|whoever|whomever|anew)\b/gi;
const MAX_WORDS = 30;

/** Finds what CONTRIBUTING.md asks not to write, in the comments of TypeScript and the text of Markdown. */
export function proseFindings(path: string, source: string): Finding[] {
  const passages = path.endsWith(".md") ? paragraphsOf(source) : commentsOf(source);
  return [...passages.flatMap(sentenceFindings), ...wordFindings(source)];
}

function sentenceFindings({ line, text }: Passage): Finding[] {
  return sentencesOf(text).flatMap((sentence) => {
    const found: Finding[] = [];
    const opening = OPENINGS.exec(sentence)?.[0];
    if (opening !== undefined && !sentence.endsWith("?")) {
      found.push({ rule: "opening", line, message: `opens with "${opening}": ${begin(sentence)}` });
    }
    const words = sentence.split(/\s+/).length;
    if (words > MAX_WORDS) {
      found.push({
        rule: "length",
        line,
        message: `has ${words} words, ${MAX_WORDS} at most: ${begin(sentence)}`,
      });
    }
    return found;
  });
}

/** Code in backticks and the targets of links count as one word each. */
function sentencesOf(text: string): string[] {
  const plain = text
    .replaceAll(/`[^`]*`/g, "`code`")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replace(/^(?:@\w+ |\*\*[^*]*\*\*:? )/, "");
  return plain.split(/(?<=[.!?:])\s+/);
}

/** Everywhere in the file: names and messages are read, too. */
function wordFindings(source: string): Finding[] {
  return source.split("\n").flatMap((text, index) =>
    [...text.matchAll(WORDS)].map(([word]) => ({
      rule: "word" as const,
      line: index + 1,
      message: `says "${word}"`,
    })),
  );
}

function begin(sentence: string): string {
  return sentence.length > 60 ? `${sentence.slice(0, 60)}…` : sentence;
}
