import { isSecret } from "./secret-names.ts";

/** What stands where a secret was. */
export const REDACTED = "[redacted]";

/** Tokens that show by their form what they are: makers of keys give them prefixes for that. */
const FORMS = [
  String.raw`-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)`,
  String.raw`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`,
  String.raw`\b(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[\w+/=]{20,}`,
  String.raw`(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
  String.raw`\b(?:gh[oprsu]_\w{20,}|github_pat_\w{20,}|gl[a-z]{1,7}-[\w-]{20,}|GR1348941[\w-]{20})`,
  String.raw`\b(?:xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}|sk-[\w-]{20,}|[rs]k_(?:live|test)_\w{10,})`,
  String.raw`\b(?:AIza[\w-]{35}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})`,
  String.raw`(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}`,
  String.raw`\b(?:npm_\w{30,}|pypi-[\w-]{30,}|rubygems_[a-f0-9]{30,}|dckr_(?:pat|oat)_[\w-]{20,})`,
  String.raw`\b(?:hv[sbr]\.[\w-]{20,}|\w{14}\.atlasv1\.[\w-]{30,}|pul-[a-f0-9]{40}|dapi[a-f0-9]{32}|do[por]_v1_\w{30,})`,
  String.raw`\b(?:SG\.[\w-]{16,}\.[\w-]{16,}|shp(?:at|ca|pa|ss)_[a-f0-9]{32}|hf_\w{20,}|gsk_\w{20,}|nvapi-[\w-]{20,}|glsa_\w{20,})`,
  String.raw`\bAGE-SECRET-KEY-1[A-Z0-9]{20,}`,
  String.raw`\b(?:leeway_[A-Za-z0-9]{8}_\w{38}|whsec_[\w+/=]{16,})`,
  String.raw`(?<=\bhooks\.slack\.com\/)(?:services|workflows|triggers)\/[\w/]+`,
  String.raw`(?<=\.webhook\.office\.com\/)[^\s"'<>]+`,
  String.raw`(?<=\bdiscord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]+`,
];
const FORM = new RegExp(FORMS.join("|"), "g");
const FORM_SIGN =
  /PRIVATE KEY|A[KS]IA|FwoG|IQoJ|eyJ|gh[oprsu]_|github_pat|gl[a-z]+-|GR13|xox|xapp|[rs]k[-_]|AIza|ya29|GOCSPX|Q~|npm_|pypi-|rubygems_|dckr_|hv[sbr]\.|atlasv1|pul-|dapi|do[por]_v1|SG\.|shp|hf_|gsk_|nvapi|glsa_|AGE-S|leeway_|whsec_|hooks\.slack|webhook/;

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
const ASSIGNMENT_SIGN = /(?:pass|pw|secret|token|cred|key|auth|psk|cookie|salt)[^\n]{0,120}?(?:[=:]|\s)/i;

const QUERY =
  /([?&](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token)|code|key|auth)=)([^&\s"'#<>]+)/gi;
const USER_INFO = /(:\/\/[^/\s:@"'<>]{0,64}:)(?!\d{1,5}[/?#\s])([^\s"'<>]{1,200})(?=@)/g;
const USER_TOKEN = /(:\/\/)([\w-]{20,200})(?=@)/g;
const HEADER =
  /\b(authorization\\{0,4}["']?\s{0,3}[:=]\s{0,3}\\{0,4}["']?(?:[a-z][\w-]{2,20}\s{1,3}(?=[^\s"'\\]))?)([^\s"'\\]+)/gi;
const BEARER = /\b(bearer|token)(\s{1,3})([\w+/=.~-]{16,})/gi;
const BASIC = /\b(basic)(\s{1,3})([\w+/=-]{4,})/gi;
const SPOKEN = /\b((?:identified\s{1,3}by|password)\s{1,3})'([^'\n]{1,200})'/gi;
const CURL_USER = /(\s(?:-u|--user)[ =]{1,3}["']?[^\s:"']{1,100}:)([^\s"']+)/g;
const MYSQL_PASSWORD = /\b((?:mysql|mariadb)[\w-]{0,20}\s[^\n|;&]{0,200}?(?<=\s)-p)([^\s"']+)/g;
const ELEMENT = /(<[\w:.-]{0,60}(?:password|secret|token|apikey)[\w:.-]{0,60}>)([^<]+)(?=<\/)/gi;

/** What everything but a token that shows by itself what it is has between a name and a secret. */
const BETWEEN = /[\s=:<]/;
/** Of the tokens that show by themselves what they are. */
const SHORTEST_FORM = 15;

/** `text` with everything that has the form of a secret replaced. */
export function redactText(text: string): string {
  let cleaned = redactForms(text);
  if (!BETWEEN.test(cleaned)) return cleaned;
  if (cleaned.includes("://")) {
    cleaned = cleaned.replaceAll(USER_INFO, `$1${REDACTED}`).replaceAll(USER_TOKEN, `$1${REDACTED}`);
  }
  if (cleaned.includes("=")) cleaned = cleaned.replaceAll(QUERY, `$1${REDACTED}`);
  if (/authorization|bearer|basic|token/i.test(cleaned)) {
    cleaned = cleaned.replaceAll(HEADER, hideCredentials).replaceAll(BEARER, hideBearer);
    cleaned = cleaned.replaceAll(BASIC, hideBasic);
  }
  if (cleaned.includes("-u")) cleaned = cleaned.replaceAll(CURL_USER, `$1${REDACTED}`);
  if (cleaned.includes(" -p")) cleaned = cleaned.replaceAll(MYSQL_PASSWORD, `$1${REDACTED}`);
  if (cleaned.includes("</")) cleaned = cleaned.replaceAll(ELEMENT, `$1${REDACTED}`);
  if (/identified|password/i.test(cleaned)) cleaned = cleaned.replaceAll(SPOKEN, `$1'${REDACTED}'`);
  return redactAssignments(cleaned);
}

/** `text` without the tokens that show by themselves what they are. */
export function redactForms(text: string): string {
  return text.length >= SHORTEST_FORM && FORM_SIGN.test(text) ? text.replaceAll(FORM, REDACTED) : text;
}

/** What is behind a name that is no secret's may hold assignments of its own: `command: "PASSWORD=…"`. */
function redactAssignments(text: string): string {
  let cleaned = text;
  if (/value/i.test(cleaned)) cleaned = hideAssigned(cleaned, VALUE_FIRST, { valueOf: assignedBefore });
  if (!ASSIGNMENT_SIGN.test(cleaned)) return cleaned;
  cleaned = hideAssigned(cleaned, PAIR, { valueOf: assignedAt });
  return hideAssigned(cleaned, ASSIGNMENT, { stays: staysReadable, valueOf: assignedAt });
}

/** `text` without what stands behind each of `heads` whose name, its first group or told by its value, is of a secret. */
function hideAssigned(
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

/** Headers are done already; a colon without a blank separates parts of an ARN, or a name and its tag. */
function staysReadable({ name, separator }: Head): boolean {
  if (!isSecret(name) || /authorization$/i.test(name)) return true;
  return separator === ":" && !/pass|pwd/i.test(name);
}

/** A name, which may be told elsewhere, and what divides it from its value, which begins at `start`. */
interface Head {
  index: number;
  start: number;
  name: string;
  separator: string;
}

interface Assigned extends Value {
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
function assignedAt(text: string, head: Head): Assigned | undefined {
  const { index, start, name, separator } = head;
  const colon = start - separator.length + separator.indexOf(":");
  const value =
    linesBelow(text, index, colon) ??
    (separator.includes("\n") && matchAt(HEAD, text, start) ? undefined : valueAt(text, head));
  return value && isReadable(value) ? { ...value, name } : undefined;
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
  return restOfLine(text, head) ?? inBrackets(text, head.start) ?? wordAt(text, head.start);
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

function inBrackets(text: string, start: number): Value | undefined {
  if (!/[[{]/.test(text[start] ?? "") || text.startsWith(REDACTED, start)) return undefined;
  const end = closingOf(text, start);
  return { start, end, quote: "", value: text.slice(start, end) };
}

function wordAt(text: string, start: number): Value | undefined {
  if (text.startsWith(REDACTED, start)) return undefined;
  const found = matchAt(ASSIGNED, text, start);
  if (!found) return undefined;
  const [whole, ...groups] = found;
  const bare = groups.pop();
  const [quote = "", value = bare ?? ""] = groups.filter((group) => group !== undefined);
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

/** `Authorization: <scheme> <credentials>`, or one of the words that stand for no credentials. */
function hideCredentials(whole: string, before: string, credentials: string): string {
  return isSecret("authorization", credentials) ? before + REDACTED : whole;
}

/** A word behind "bearer" is a token when no word of a language looks like it. */
function hideBearer(whole: string, scheme: string, blank: string, token: string): string {
  return /[\d+/=._~]/.test(token) || token.length >= 32 ? scheme + blank + REDACTED : whole;
}

/** `Basic` is followed by `user:password` in base64, or it is a word like any other. */
function hideBasic(whole: string, scheme: string, blank: string, encoded: string): string {
  return Buffer.from(encoded, "base64").includes(":") ? scheme + blank + REDACTED : whole;
}
