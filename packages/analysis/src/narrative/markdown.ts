import { splitCode } from "./code-spans.ts";

/**
 * Renders untrusted text as inert Markdown: it never becomes a mention, reference, link, image, tag or command of a
 * code host. Any word that isn't plain is set as code, where hosts look for none of these.
 */

/** Control, bidirectional, zero-width, surrogate and private-use characters. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]|[\u115F\u1160\u3164\uFFA0]|\u17B4|\u17B5|\u034F|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;

const LETTERS = String.raw`[\p{L}\p{M}]+`;
/** Words, numbers, and names such as R01 or S3. Seven hex digits are excluded, because they could be a commit. */
const PLAIN = new RegExp(
  [
    `${LETTERS}(?:['’-]${LETTERS})*`,
    `${LETTERS}/${LETTERS}`,
    String.raw`\d{1,6}(?:[.,]\d{1,6})*%?`,
    String.raw`\p{L}{1,4}\d{1,2}`,
    String.raw`(?:\p{L}\.)+\p{L}`,
    "[-–—…→]?",
  ]
    .map((form) => `^(?!www$)${form}$`)
    .join("|"),
  "iu",
);
const WORD = /^(["'“‘(]*)(.*?)(["'”’),.;:!?…]*)$/su;
const STRESSED_WORD = /^(["'“‘(*]*)(.*?)(["'”’),.;:!?…*]*)$/su;

/** Maximum length shown for a name, in characters. */
const LONGEST_NAME = 300;
/** Maximum length shown for a sentence or a line of Markdown, in characters. */
const LONGEST_SENTENCE = 1_000;
const LONGEST_LINE = 4_000;
const LONGEST_BLOCK = 10_000;

interface Token {
  text: string;
  code: boolean;
  /** Whether the original text had it in backticks. */
  quoted: boolean;
  spaced: boolean;
}

/** Returns `text` on one line, with invisible characters escaped: `\u{202e}`. */
export function visible(text: string): string {
  return spelledOut(text.replaceAll(/\s+/gu, " ").trim());
}

function spelledOut(text: string): string {
  return text.replaceAll(UNSEEN, (unseen) => String.raw`\u{${unseen.codePointAt(0)?.toString(16) ?? ""}}`);
}

/** Cuts the middle out of `text` if it is longer than `most` characters. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${characters.slice(0, half).join("")}…${characters.slice(-half).join("")}`;
}

/** Renders an untrusted name as code on one line; a long one loses its middle. */
export function code(text: string): string {
  return asCode(shorten(visible(text), LONGEST_NAME));
}

/**
 * Renders an untrusted sentence on one line. Text in backticks stays code, and anything that isn't a plain word
 * becomes code.
 */
export function prose(text: string): string {
  return render(tokensOf(shorten(visible(text), LONGEST_SENTENCE), WORD));
}

/** Renders {@link prose} with a full stop at the end. */
export function sentence(text: string): string {
  const words = prose(text);
  return words === "" || /[.!?…]["'”’)]*$/u.test(words) ? words : `${words}.`;
}

/** Renders untrusted Markdown, keeping only headings, lists, emphasis and code. */
export function tame(markdown: string): string {
  return markdown
    .split(/\r\n?|\n/u)
    .map((line) => {
      const [prefix, indent = "", mark = ""] = /^( {0,6})(#{1,6} |[-*] |\d{1,2}[.)] |> )?/u.exec(line) ?? [
        "",
      ];
      const words = shorten(visible(line.slice(prefix.length)), LONGEST_LINE);
      const start = mark.startsWith("#") ? "#### " : indent + mark;
      return words === "" ? "" : start + render(tokensOf(words, STRESSED_WORD));
    })
    .join("\n")
    .replaceAll(/\n{3,}/gu, "\n\n")
    .trim();
}

/** Renders untrusted lines as a code block, truncated if very long. */
export function codeBlock(language: "diff" | "hcl" | "sh", text: string): string {
  const cut = text.length > LONGEST_BLOCK ? `${text.slice(0, LONGEST_BLOCK)}\n…` : text;
  const lines = cut
    .trimEnd()
    .replaceAll("\t", "  ")
    .split(/\r\n?|\n/u)
    .map(spelledOut);
  const fence = "`".repeat(Math.max(3, longestRun(cut) + 1));
  return [fence + language, ...lines, fence].join("\n");
}

/** Escapes one line of Markdown for a table cell. */
export function cell(markdown: string): string {
  return markdown.replaceAll(/\\?\|/gu, (found) => (found === "|" ? String.raw`\|` : String.raw`\\u{7c}`));
}

function asCode(text: string): string {
  if (text === "") return '`""`';
  const fence = "`".repeat(longestRun(text) + 1);
  const pad = /^`|`$/u.test(text) ? " " : "";
  return fence + pad + text + pad + fence;
}

/** Returns the length of the longest run of backticks. */
function longestRun(text: string): number {
  return (text.match(/`+/gu) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function tokensOf(text: string, word: RegExp): Token[] {
  const tokens: Token[] = [];
  let spaced = false;
  for (const piece of splitCode(text)) {
    if (piece.code) push(tokens, { text: piece.text.trim(), code: true, quoted: true, spaced });
    else {
      for (const [, blank = "", bare = ""] of piece.text.matchAll(/(\s*)(\S+)/gu))
        pushWord(tokens, word.exec(bare) ?? [bare, "", bare, ""], spaced || blank !== "");
    }
    spaced = /\s$/u.test(piece.text) && !piece.code;
  }
  return tokens;
}

function pushWord(
  tokens: Token[],
  [whole = "", before = "", core = "", after = ""]: string[],
  spaced: boolean,
): void {
  const plain = { code: false, quoted: false };
  if (PLAIN.test(core)) return push(tokens, { ...plain, text: whole, spaced });
  if (before !== "") push(tokens, { ...plain, text: before, spaced });
  push(tokens, { text: core, code: true, quoted: false, spaced: spaced && before === "" });
  if (after !== "") push(tokens, { ...plain, text: after, spaced: false });
}

/** Merges adjacent code tokens: touching code spans would parse differently, and one span reads better. */
function push(tokens: Token[], token: Token): void {
  const last = tokens.at(-1);
  const together = last?.code === true && token.code && (!token.spaced || !(last.quoted || token.quoted));
  if (together) last.text += (token.spaced ? " " : "") + token.text;
  else tokens.push(token);
}

function render(tokens: Token[]): string {
  return tokens
    .map(({ text, code, spaced }, index) => (spaced && index > 0 ? " " : "") + (code ? asCode(text) : text))
    .join("");
}
