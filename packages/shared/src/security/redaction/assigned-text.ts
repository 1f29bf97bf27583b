import { createEnds, type Ends } from "./ends.ts";
import {
  argumentHeads,
  ASSIGN,
  assignmentHeads,
  headsLike,
  matchAt,
  nameBehind,
  NEXT,
  pairHeads,
  type Head,
} from "./heads.ts";
import { isSecret } from "./secret-names.ts";
import { REDACTED } from "../../values/redacted.ts";

const COLON = /\s{0,3}:/y;
/** Marker of a Kubernetes Secret manifest, in YAML or JSON. */
const SECRET_KIND = /\bkind\\{0,4}["']?\s{0,3}:\s{0,3}\\{0,4}["']?Secret(?![\w-])/;
const SECRET_DATA = /(?<![\w.$-])(data|stringData)(\\{0,4}["']?\s{0,3}:\s{0,3})/g;
/** Pairs with the value first: `value: …`, then `name: DB_PASSWORD` after or below it. */
const KIND = "(?:(?:parameter|option|output|setting|env|header)_?)?";
const VALUE_FIRST = new RegExp(String.raw`(?<![\w.$-])()${KIND}value(${ASSIGN})`, "gi");
const LABEL_BEHIND = new RegExp(
  String.raw`${NEXT}${KIND}(?:name|key|variable|header)${ASSIGN}\\{0,4}["']?`,
  "iy",
);
/** Rest of the line after the colon of a YAML member whose value is on the lines below. */
const LINE_END = /:[^\S\n]*(?:[|>][-+\d]{0,2}[^\S\n]*)?(?:#[^\n]*)?\n/y;
const BEFORE_NAME = /(?:^|\n)([^\S\n]*(?:-[^\S\n]+)*["']?)$/;
/** Separators of YAML and INI files, where an unquoted value runs to the end of the line. */
const BEFORE_LINE = /^(?:[^\S\n]*:|[^\S\n]+=)[^\S\n]+$/;
const MAX_INDENT = 200;
/** Start of another name or list item. */
const HEAD = /(?:-\s)?["']?[\w.$-]{1,100}["']?\s{0,3}[:=]/y;
const BRACKET = /(\\{0,4})"|[{}[\]]/g;
const HEREDOC = /<<[-~]?["']?([A-Za-z_]\w{0,60})["']?[^\S\n]*\n/y;
const QUOTE = /\\{0,4}["']/y;
/** First character of a list, a block, a quotation or whitespace. */
const BLOCK = /[[{"'\\\s]/;
const HIDDEN = /^\W*?(?:\[redacted\]\W*)*$/;
const NO_WORD = /[\s"';&,}\]\\]|^$/;

/**
 * Hides the values of assignments to secrets. A harmless name's value may contain assignments, too:
 * `command: "PASSWORD=…"`.
 */
export function redactAssignments(text: string): string {
  let cleaned = redactManifests(text);
  if (/value/i.test(cleaned))
    cleaned = hideAssigned(cleaned, headsLike(VALUE_FIRST, cleaned), assignedBefore());
  cleaned = hideAssigned(cleaned, pairHeads(cleaned), assignedAt);
  cleaned = hideAssigned(cleaned, argumentHeads(cleaned), argumentAt);
  return hideAssigned(cleaned, assignmentHeads(cleaned), assignedOutsideHeaders);
}

/** Text being searched. */
interface Place {
  text: string;
  ends: Ends;
}

/** Finds the value of a head; undefined if it has none. */
type ValueOf = (place: Place, head: Head) => Assigned | undefined;

export interface Assigned extends Value {
  name: string;
}

interface Value {
  start: number;
  end: number;
  quote: string;
  value: string;
}

/**
 * Returns `text` with the values of `heads` hidden. The secret's name is in the head or next to its value.
 * Heads come in the order of the text, and names are checked before values. A scanned value is therefore either
 * hidden and never scanned again, or a short reference.
 */
export function hideAssigned(text: string, heads: Iterable<Head>, valueOf: ValueOf): string {
  const place = { text, ends: createEnds(text) };
  let cleaned = "";
  let end = 0;
  for (const head of heads) {
    if (head.index < end) continue;
    const assigned = valueOf(place, head);
    if (!assigned || !isSecret(assigned.name, assigned.value)) continue;
    const { start, quote } = assigned;
    cleaned += text.slice(end, start) + quote + REDACTED + quote;
    end = assigned.end;
  }
  return cleaned + text.slice(end);
}

/** Hides the data of Kubernetes Secrets. A YAML document holds one Secret; JSON may hold several. */
function redactManifests(text: string): string {
  if (!SECRET_KIND.test(text)) return text;
  const hideIn = (document: string): string =>
    SECRET_KIND.test(document) ? hideAssigned(document, headsLike(SECRET_DATA, document), dataAt) : document;
  return text
    .split(/^(?=---)/m)
    .map(hideIn)
    .join("");
}

/** Finds the members of `data`, in brackets or on the lines below. */
function dataAt(place: Place, head: Head): Assigned | undefined {
  const isWord = !BLOCK.test(place.text[head.start] ?? "") && !/\s$/.test(head.separator);
  const assigned = isWord ? undefined : assignedAt(place, head);
  return assigned && /^[[{]|\n|: /.test(assigned.value) ? { ...assigned, name: "secret" } : undefined;
}

/**
 * Finds the value after a name: the lines below it, a bracketed or quoted value, the rest of its line, or a word.
 * Undefined if there is none or it is already hidden.
 */
function assignedAt(place: Place, head: Head): Assigned | undefined {
  const { index, start, name, separator } = head;
  const { text } = place;
  const colon = start - separator.length + separator.indexOf(":");
  const value =
    linesBelow(text, index, colon) ??
    (separator.includes("\n") && matchAt(HEAD, text, start) ? undefined : valueAt(place, head));
  return value && isReadable(value) ? { ...value, name } : undefined;
}

/** Skips headers, which are already redacted. In JSON, a list, a block or a number isn't a header's value. */
function assignedOutsideHeaders(place: Place, head: Head): Assigned | undefined {
  const { start, name, separator } = head;
  // A colon without a blank separates parts of an ARN, or a name and its tag.
  if (separator === ":" && !/pass|pwd/i.test(name)) return undefined;
  const first = place.text[start] ?? "";
  const isHeader = !/[[{]/.test(first) && (quoteOfName(separator) === "" || /["'\\]/.test(first));
  return isHeader && /authorization$/i.test(name) ? undefined : assignedAt(place, head);
}

/** Finds the list item after a flag. If a colon follows, the item is a member's name in a block. */
function argumentAt(place: Place, head: Head): Assigned | undefined {
  const assigned = assignedAt(place, head);
  return assigned && matchAt(COLON, place.text, assigned.end) ? undefined : assigned;
}

/** Finds values whose names come after them. Skips bracketed values, because only their name would bound the search. */
function assignedBefore(): ValueOf {
  let last = { end: -1, name: "" };
  return (place, head) => {
    const { text } = place;
    const value = /[[{]/.test(text[head.start] ?? "") ? undefined : valueAt(place, head);
    if (!value) return undefined;
    if (value.end !== last.end) last = { end: value.end, name: labelBehind(text, value.end) };
    return isSecret(last.name) && isReadable(value) ? { ...value, name: last.name } : undefined;
  };
}

function labelBehind(text: string, end: number): string {
  const label = matchAt(LABEL_BEHIND, text, end);
  return label ? nameBehind(text, end + label[0].length).name : "";
}

function isReadable({ value }: Value): boolean {
  return !HIDDEN.test(value);
}

/** Finds the lines below a YAML member that are indented more than it. */
function linesBelow(text: string, index: number, colon: number): Value | undefined {
  const head = matchAt(LINE_END, text, colon)?.[0];
  const before = beforeName(text, index);
  if (head === undefined || before === undefined) return undefined;
  const column = before.replace(/["']$/, "").length;
  const first = colon + head.length;
  let end = first;
  while (end < text.length) {
    const newline = text.indexOf("\n", end);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(end, next);
    const indent = line.search(/\S/);
    if (indent !== -1 && indent <= column && !line.startsWith(`${" ".repeat(column)}- `)) break;
    end = next;
  }
  const lines = text.slice(first, end).trimEnd();
  const value = lines.trimStart();
  return { start: first + lines.length - value.length, end: first + lines.length, quote: "", value };
}

function valueAt(place: Place, head: Head): Value | undefined {
  return (
    heredocAt(place.text, head) ??
    restOfLine(place, head) ??
    inBrackets(place.text, head) ??
    wordAt(place, head)
  );
}

/** Finds the lines of a heredoc (`<<EOT`), or the rest of the text if it isn't closed. */
function heredocAt(text: string, { start }: Head): Value | undefined {
  const [opening = "", mark] = text.startsWith("<<", start) ? (matchAt(HEREDOC, text, start) ?? []) : [];
  if (mark === undefined) return undefined;
  const first = start + opening.length;
  let end = first;
  while (end < text.length) {
    const newline = text.indexOf("\n", end);
    const next = newline === -1 ? text.length : newline + 1;
    if (text.slice(end, next).trim() === mark) break;
    end = next;
  }
  const value = text.slice(first, end).trimEnd();
  return { start: first, end: first + value.length, quote: "", value };
}

/** Finds the rest of the line after a YAML or INI member, unless the value is quoted or in brackets. */
function restOfLine({ text, ends }: Place, { index, start, separator }: Head): Value | undefined {
  const before = BEFORE_LINE.test(separator) ? beforeName(text, index) : undefined;
  if (before === undefined || /["']$/.test(before)) return undefined;
  if (!text.startsWith(REDACTED, start) && /["'{[\\]/.test(text[start] ?? "")) return undefined;
  const line = text.slice(start, ends.line(start));
  const comment = line.search(/\s#/);
  const value = (comment === -1 ? line : line.slice(0, comment)).trimEnd();
  return { start, end: start + value.length, quote: "", value };
}

/** Returns the text before a name on its line if it is only blanks, list dashes and a quotation mark. */
function beforeName(text: string, index: number): string | undefined {
  return BEFORE_NAME.exec(text.slice(Math.max(0, index - MAX_INDENT), index))?.[1];
}

function inBrackets(text: string, { start, separator }: Head): Value | undefined {
  if (!/[[{]/.test(text[start] ?? "") || text.startsWith(REDACTED, start)) return undefined;
  const end = closingOf(text, start);
  return { start, end, quote: quoteOfName(separator), value: text.slice(start, end) };
}

/** Returns the quotation mark of a JSON name, which the replacement of its value needs, too. */
function quoteOfName(separator: string): string {
  return /^\\*"/.exec(separator)?.[0] ?? "";
}

export function wordAt({ text, ends }: Place, { start, separator }: Head): Value | undefined {
  if (text.startsWith(REDACTED, start)) return undefined;
  const quote = matchAt(QUOTE, text, start)?.[0];
  if (quote !== undefined) return quotedAt({ text, ends }, start, quote);
  if (NO_WORD.test(text[start] ?? "")) return undefined;
  const end = ends.word(start);
  return { start, end, quote: quoteOfName(separator), value: text.slice(start, end) };
}

function quotedAt({ text, ends }: Place, start: number, quote: string): Value | undefined {
  const first = start + quote.length;
  const isNothing = quote === "'" && text[first] === "'" && text[first + 1] !== "'";
  const last = isNothing ? first : ends.closer(quote, first);
  if (last === -1) return undefined;
  return { start, end: last + quote.length, quote, value: text.slice(first, last) };
}

/** Returns the index after the bracket that closes the one at `start`, or the text's length if none does. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  let quote: string | undefined;
  BRACKET.lastIndex = start;
  for (let found = BRACKET.exec(text); found; found = BRACKET.exec(text)) {
    const [sign, slashes] = found;
    if (slashes !== undefined) {
      if (quote === undefined) quote = slashes;
      else if (slashes === quote) quote = undefined;
    } else if (quote === undefined) {
      depth += sign === "{" || sign === "[" ? 1 : -1;
      if (depth === 0) return BRACKET.lastIndex;
    }
  }
  return text.length;
}
