import { isSecret, REDACTED } from "./secret-names.ts";

/** `name=value`, `"name": "value"`, `--name value`, also as JSON within a text; the name shall be of a secret. */
const WORD = String.raw`[\w.$-]{0,100}?(?:pass|pw|secret|token|cred|key|auth|psk|cookie|salt)[\w.$-]{0,100}`;
const NAME = String.raw`(?<![\w.$-])(${WORD})`;
const SEPARATOR = String.raw`(\\{0,4}["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}|(?<=--[\w-]{1,201})\s{1,3}(?!-))`;
/** Within quotes a quote is escaped, in single ones also doubled. What doesn't end so ends with the next quote. */
const ESCAPED = String.raw`(?<!\\)(?:\\\\)*\\`;
const QUOTED = [
  String.raw`(")([\s\S]*?)(?=")(?<!${ESCAPED})"`,
  String.raw`(')()'(?!')`,
  String.raw`(')([\s\S]*?)(?='(?!'))(?<!'|${ESCAPED})'`,
  String.raw`(\\{1,4}["'])([\s\S]*?)(?<!\\)\7`,
  String.raw`(\\{0,4}["'])([\s\S]*?)\9`,
].join("|");
/** A comma or bracket belongs to a value only if it goes on behind it. */
const BARE = String.raw`([^\s"';&,}\]\\]+(?:[,}\]\\](?=[^\s"';&,}\]\\])[^\s"';&,}\]\\]+)*)`;
const ASSIGNMENT = new RegExp(NAME + SEPARATOR, "gi");
const ASSIGNED = new RegExp(`${QUOTED}|${BARE}`, "y");
const ASSIGN = String.raw`\\{0,4}["']?\s{0,3}[:=]\s{0,3}`;
const LABEL = String.raw`(?:name|key|variable|header)${ASSIGN}\\{0,4}["']?(${WORD})\\{0,4}["']?`;
const NEXT = String.raw`\s{0,3},?\s{0,200}\\{0,4}["']?`;
/** `name: DB_PASSWORD`, and behind or below it `value: …`. */
const PAIR = new RegExp(String.raw`${LABEL}${NEXT}\w{0,12}?values?(${ASSIGN})`, "gi");
/** `"--requirepass", "…"`, as arguments of a program are listed. */
const ARGUMENT = new RegExp(
  String.raw`(?<=["']--?)(${WORD})(\\{0,4}["']\s{0,3},\s{0,3})(?=\\{0,4}["'](?!-))`,
  "gi",
);
const COLON = /\s{0,3}:/y;
/** A manifest whose data are secret, in YAML or JSON. */
const SECRET_KIND = /\bkind\\{0,4}["']?\s{0,3}:\s{0,3}\\{0,4}["']?Secret(?![\w-])/;
const SECRET_DATA = /(?<![\w.$-])(data|stringData)(\\{0,4}["']?\s{0,3}:\s{0,3})/g;
/** `value: …`, and behind or below it `name: DB_PASSWORD`. */
const KIND = "(?:(?:parameter|option|output|setting|env|header)_?)?";
const VALUE_FIRST = new RegExp(String.raw`(?<![\w.$-])()${KIND}value(${ASSIGN})`, "gi");
const LABEL_BEHIND = new RegExp(NEXT + KIND + LABEL, "iy");
/** What stands behind the colon of a YAML member whose value is in the lines below. */
const LINE_END = /:[^\S\n]*(?:[|>][-+\d]{0,2}[^\S\n]*)?(?:#[^\n]*)?\n/y;
const BEFORE_NAME = /(?:^|\n)([^\S\n]*(?:-[^\S\n]+)*["']?)$/;
/** As YAML and INI files divide a name from a value that goes on to the end of the line. */
const BEFORE_LINE = /^(?:[^\S\n]*:|[^\S\n]+=)[^\S\n]+$/;
const MOST_INDENT = 200;
/** Another name, or an item. */
const HEAD = /(?:-\s)?["']?[\w.$-]{1,100}["']?\s{0,3}[:=]/y;
const BRACKET = /(\\{0,4})"|[{}[\]]/g;
const ASSIGNMENT_SIGN = /(?:pass|pw|secret|token|cred|key|auth|psk|cookie|salt)[^\n]{0,120}?[=:,\s]/i;

/** What is behind a name that is no secret's may hold assignments of its own: `command: "PASSWORD=…"`. */
export function redactAssignments(text: string): string {
  let cleaned = redactManifests(text);
  if (/value/i.test(cleaned)) cleaned = hideAssigned(cleaned, VALUE_FIRST, { valueOf: assignedBefore });
  if (!ASSIGNMENT_SIGN.test(cleaned)) return cleaned;
  cleaned = hideAssigned(cleaned, PAIR, { valueOf: assignedAt });
  cleaned = hideAssigned(cleaned, ARGUMENT, { valueOf: argumentAt });
  return hideAssigned(cleaned, ASSIGNMENT, { stays: staysReadable, valueOf: assignedOutsideHeaders });
}

/** `text` without what stands behind each of `heads` whose name, its first group or told by its value, is of a secret. */
export function hideAssigned(
  text: string,
  heads: RegExp,
  {
    stays,
    valueOf,
  }: { stays?: (head: Head) => boolean; valueOf(text: string, head: Head): Assigned | undefined },
): string {
  let cleaned = "";
  let end = 0;
  for (const { 0: whole, 1: name = "", 2: separator = "", index } of text.matchAll(heads)) {
    const head = { index, start: index + whole.length, name, separator };
    if (index < end || stays?.(head)) continue;
    const assigned = valueOf(text, head);
    if (!assigned || !isSecret(assigned.name, assigned.value)) continue;
    const { start, quote } = assigned;
    cleaned += text.slice(end, start) + quote + REDACTED + quote;
    end = assigned.end;
  }
  return cleaned + text.slice(end);
}

/** `text` without what manifests of Kubernetes keep as secret: one a document, or several in JSON. */
function redactManifests(text: string): string {
  if (!SECRET_KIND.test(text)) return text;
  const hideIn = (document: string): string =>
    SECRET_KIND.test(document) ? hideAssigned(document, SECRET_DATA, { valueOf: dataAt }) : document;
  return text
    .split(/^(?=---)/m)
    .map(hideIn)
    .join("");
}

function dataAt(text: string, head: Head): Assigned | undefined {
  const assigned = assignedAt(text, head);
  return assigned && /^[[{]|\n|: /.test(assigned.value) ? { ...assigned, name: "secret" } : undefined;
}

/** A colon without a blank separates parts of an ARN, or a name and its tag. */
function staysReadable({ name, separator }: Head): boolean {
  if (!isSecret(name)) return true;
  return separator === ":" && !/pass|pwd/i.test(name);
}

/** A name, which may be told elsewhere, and what divides it from its value, which begins at `start`. */
export interface Head {
  index: number;
  start: number;
  name: string;
  separator: string;
}

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
 * The value behind a name: the lines below it, what is in brackets or quotes, the rest of its line, or a word. Undefined
 * when there is none, or it is hidden already.
 */
export function assignedAt(text: string, head: Head): Assigned | undefined {
  const { index, start, name, separator } = head;
  const colon = start - separator.length + separator.indexOf(":");
  const value =
    linesBelow(text, index, colon) ??
    (separator.includes("\n") && matchAt(HEAD, text, start) ? undefined : valueAt(text, head));
  return value && isReadable(value) ? { ...value, name } : undefined;
}

/** Headers are done already; what stands in JSON as a list, a block or a number is none. */
function assignedOutsideHeaders(text: string, head: Head): Assigned | undefined {
  const { start, name, separator } = head;
  const isHeader =
    !/[[{]/.test(text[start] ?? "") && (quoteOfName(separator) === "" || /["'\\]/.test(text[start] ?? ""));
  return isHeader && /authorization$/i.test(name) ? undefined : assignedAt(text, head);
}

/** The item behind a flag in a list; in a block a name stands there. */
function argumentAt(text: string, head: Head): Assigned | undefined {
  const assigned = assignedAt(text, head);
  return assigned && matchAt(COLON, text, assigned.end) ? undefined : assigned;
}

/** The value whose name stands behind it; what is in brackets isn't looked for again and again. */
function assignedBefore(text: string, head: Head): Assigned | undefined {
  const value = /[[{]/.test(text[head.start] ?? "") ? undefined : valueAt(text, head);
  const name = value && matchAt(LABEL_BEHIND, text, value.end)?.[1];
  return value && name !== undefined && isReadable(value) ? { ...value, name } : undefined;
}

function isReadable({ value }: Value): boolean {
  return /\w/.test(value.replace(REDACTED, ""));
}

/** What stands in the lines below a member of a YAML document, which are indented more. */
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

function valueAt(text: string, head: Head): Value | undefined {
  return restOfLine(text, head) ?? inBrackets(text, head) ?? wordAt(text, head);
}

/** What a member of a YAML or INI file has in its line, where that is neither quoted nor in brackets. */
function restOfLine(text: string, { index, start, separator }: Head): Value | undefined {
  const before = BEFORE_LINE.test(separator) ? beforeName(text, index) : undefined;
  if (before === undefined || /["']$/.test(before)) return undefined;
  if (!text.startsWith(REDACTED, start) && /["'{[\\]/.test(text[start] ?? "")) return undefined;
  const newline = text.indexOf("\n", start);
  const line = text.slice(start, newline === -1 ? text.length : newline);
  const comment = line.search(/\s#/);
  const value = (comment === -1 ? line : line.slice(0, comment)).trimEnd();
  return { start, end: start + value.length, quote: "", value };
}

/** What stands before a name in its line, if that is nothing but blanks, dashes of lists and a quote. */
function beforeName(text: string, index: number): string | undefined {
  return BEFORE_NAME.exec(text.slice(Math.max(0, index - MOST_INDENT), index))?.[1];
}

function inBrackets(text: string, { start, separator }: Head): Value | undefined {
  if (!/[[{]/.test(text[start] ?? "") || text.startsWith(REDACTED, start)) return undefined;
  const end = closingOf(text, start);
  return { start, end, quote: quoteOfName(separator), value: text.slice(start, end) };
}

/** What JSON has around a name, and needs around whatever stands in the place of a value. */
function quoteOfName(separator: string): string {
  return /^\\*"/.exec(separator)?.[0] ?? "";
}

export function wordAt(text: string, { start, separator }: Head): Value | undefined {
  if (text.startsWith(REDACTED, start)) return undefined;
  const found = matchAt(ASSIGNED, text, start);
  if (!found) return undefined;
  const [whole, ...groups] = found;
  const bare = groups.pop();
  const [quote = quoteOfName(separator), value = bare ?? ""] = groups.filter((group) => group !== undefined);
  return { start, end: start + whole.length, quote, value };
}

/** Behind the bracket that closes the one at `start`; the end of `text` where none does. */
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

/** @param sticky a pattern that matches at its `lastIndex` only */
function matchAt(sticky: RegExp, text: string, index: number): RegExpExecArray | null {
  sticky.lastIndex = index;
  return sticky.exec(text);
}
