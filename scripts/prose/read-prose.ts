/** A line of a text as it is written in a file. */
interface Line {
  /** From 1. */
  number: number;
  text: string;
}

/** Connected text: a comment, or a paragraph or list item of Markdown. */
export interface Passage {
  /** Number of its first line, from 1. */
  line: number;
  text: string;
}

const COMMENT = /(?:^\s*(?:\/\*\*?|\*(?!\/)|\/\/)|\s\/\/)\s?([^\n]*)/;

/** The comments of a TypeScript file. Tags such as `@throws` begin a passage of their own. */
export function commentsOf(source: string): Passage[] {
  return passagesOf(linesOf(source).map((line) => ({ ...line, text: commentIn(line.text) })));
}

function commentIn(line: string): string | undefined {
  const text = COMMENT.exec(line)?.[1];
  return text?.replace(/\*\/\s*$/, "").trim();
}

const FENCE = /^\s*(?:```|~~~)/;
const NO_PROSE = /^\s*(?:\||#|<|\[[^\]]+\]:)/;
const ITEM = /^\s*(?:[-*+]|\d+\.)\s+/;

/** The paragraphs and list items of a Markdown file, without code, headings, tables and HTML. */
export function paragraphsOf(markdown: string): Passage[] {
  let isCode = false;
  const lines = linesOf(markdown).map(({ number, text }) => {
    const isFence = FENCE.test(text);
    if (isFence) isCode = !isCode;
    return { number, text: isFence || isCode || NO_PROSE.test(text) ? undefined : text };
  });
  return passagesOf(lines);
}

/** Lines in a row are one passage; an empty line, a list item and a tag end the one before. */
function passagesOf(lines: readonly { number: number; text: string | undefined }[]): Passage[] {
  const passages: Passage[] = [];
  let open: Passage | undefined;
  for (const { number, text } of lines) {
    const words = text?.replace(ITEM, "").trim() ?? "";
    if (words === "") open = undefined;
    else if (!open || ITEM.test(text ?? "") || words.startsWith("@")) {
      open = { line: number, text: words };
      passages.push(open);
    } else open.text += ` ${words}`;
  }
  return passages;
}

function linesOf(source: string): Line[] {
  return source.split("\n").map((text, index) => ({ number: index + 1, text }));
}
