import { splitCode } from "./code-spans.ts";

const REMOVED = "(link removed)";
/** Bidirectional controls, zero-width characters and variation selectors. */
const UNSEEN =
  /[\p{Cf}\p{Cs}\p{Co}\p{Cn}]|[\u115F\u1160\u3164\uFFA0]|\u17B4|\u17B5|\u034F|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/gu;
const IMAGES_AND_LINKS =
  /(!?)(?<![\p{L}\p{N}_\]])\[([^[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s[^()]*)?\)|\[[^[\]]*\])/gu;
const DEFINITION = /^ {0,3}\[[^[\]]*\]:.*$/u;
const AUTOLINK = /<(?:[a-z][a-z0-9+.-]*:|[^\s<>@]{1,64}@)[^<>\s]*>/giu;
const ADDRESS_ON_THE_WEB =
  /\b(?:https?|ftp):\/\/[^\s<>"'`)\]]+|\bwww\.[^\s<>"'`)\]]+|\b(?:mailto|javascript|vbscript):[^\s<>"'`]+|(?<![\w:/])\/\/(?!\w+\.googleapis\.com\/)[\w-]+(?:\.[\w-]+)+[^\s<>"'`)\]]*/giu;
const TAG = /<(?:[/!?][^<>]*|[a-z][^<>]*[=/][^<>]*)>/giu;
const PLACEHOLDER = /<([a-z][^<>]*)>/giu;
const OPENING = /<+(?=[a-z/!?])/giu;

/** First private-use character. Text never contains these, so they stand in for names. */
const STAND_IN = 0xe000;

/**
 * Returns a model's text on one line, without links, images, HTML and Markdown marks. Code stays in backticks.
 * @param names matches text to keep unchanged, such as an address whose key is a URL
 */
export function plainText(text: string, names: RegExp): string {
  const lines = text
    .replaceAll(UNSEEN, "")
    .split(/\r\n?|[\n\u2028\u2029]/u)
    .map(withoutBlockMark);
  const kept: string[] = [];
  const masked = lines
    .join(" ")
    .replaceAll(names, (name) => String.fromCodePoint(STAND_IN + kept.push(name) - 1));
  const plain = splitCode(withoutLinksAndTags(masked))
    .map((piece) => (piece.code ? `\`${piece.text.replaceAll("`", "'")}\`` : withoutStress(piece.text)))
    .join("")
    .replaceAll(/\p{Co}/gu, (standIn) => kept[(standIn.codePointAt(0) ?? 0) - STAND_IN] ?? "")
    .replaceAll(/\s+/gu, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(plain.replaceAll(REMOVED, "")) ? plain : "";
}

function withoutBlockMark(line: string): string {
  if (DEFINITION.test(line)) return "";
  return line
    .replace(/^\s*(?:`{3,}|~{3,})[\w-]*\s*$/u, "`")
    .replace(/^\s*(?:(?:#{1,6}|>)\s+)+/u, "")
    .replace(/^\s*[*+]\s+/u, "- ");
}

function withoutLinksAndTags(text: string): string {
  return text
    .replaceAll(IMAGES_AND_LINKS, (_whole, image: string, label: string) => (image === "!" ? "" : label))
    .replaceAll(AUTOLINK, REMOVED)
    .replaceAll(ADDRESS_ON_THE_WEB, REMOVED)
    .replaceAll(TAG, "")
    .replaceAll(PLACEHOLDER, "‹$1›")
    .replaceAll(OPENING, "");
}

function withoutStress(text: string): string {
  return text
    .replaceAll(/\*\*|~~|(?<![\p{L}\p{N}_])__|__(?![\p{L}\p{N}_])/gu, "")
    .replaceAll(/(?<![\p{L}\p{N}_*/:])\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?![\p{L}\p{N}_*])/gu, "$1");
}
