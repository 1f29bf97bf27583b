import { put, type Json, type JsonObject } from "../json.ts";
import { isSecret, REDACTED } from "./secret-names.ts";
import { redactForms, redactText } from "./secret-text.ts";

export { REDACTED } from "./secret-names.ts";
export { redactText } from "./secret-text.ts";

const DEEPEST = 200;

/** How the halves of a pair are called: `{name: "DB_PASSWORD", value: "…"}`, in whatever case. */
const LABELS = /^(?:name|key|variable|header|(?:parameter|option|output|setting|env|header)_?(?:name|key))$/i;
const VALUES = /^(?:values?|(?:parameter|option|output|setting|string|secure|default)_?values?|default)$/i;

const PERMISSIONS: ReadonlySet<string> = new Set(
  "get list set delete recover backup restore purge all".split(" "),
);

/** A value without its secrets, and where they were (JSON pointers, RFC 6901). */
export interface Redaction<T> {
  value: T;
  redactions: string[];
}

/**
 * `value` with every secret replaced: members named like one, name-value pairs whose name is like one,
 * and texts that hold one by their form. `value` itself stays as it is; parts without secrets are shared with it.
 */
export function redact<T extends Json>(value: T): Redaction<T> {
  const redactions: string[] = [];
  const cleaned = scrub(value, { redactions, depth: 0 });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- scrubbing keeps the outermost shape
  return { value: cleaned as T, redactions };
}

/** Where a value stands; its pointer is put together only where it is told. */
interface Place {
  redactions: string[];
  depth: number;
  within?: Place;
  step?: string | number;
  /** The number of the last name that was made of a cleaned one: thousands may become the same. */
  renamed?: Map<string, number>;
}

function scrub(value: Json, place: Place): Json {
  if (typeof value === "string") return scrubText(value, place);
  if (typeof value !== "object" || value === null) return value;
  if (place.depth > DEEPEST) return hide(place);
  return Array.isArray(value) ? scrubItems(value, place) : scrubMembers(value, place);
}

function scrubMembers(object: JsonObject, within: Place): JsonObject {
  const pair = isSecretPair(object);
  const place = below(within);
  let copy: JsonObject | undefined;
  for (const given of Object.keys(object)) {
    const inner = object[given] ?? null;
    const name = nameFor(given, copy ?? object, place);
    place.step = name;
    const cleaned = isHidden(given, inner, { object, pair }) ? hide(place) : scrub(inner, place);
    if (!copy && (cleaned !== inner || name !== given)) copy = membersBefore(object, given);
    if (copy) put(copy, name, cleaned);
  }
  return copy ?? object;
}

/** Whether a member is hidden as a whole. */
function isHidden(
  name: string,
  value: Json,
  { object, pair }: { object: JsonObject; pair: boolean },
): boolean {
  const isSecretHere = holdsSecret(name, value) || (pair && VALUES.test(name)) || isSecretData(name, object);
  return isSecretHere && !isEmpty(value);
}

function membersBefore(object: JsonObject, end: string): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(object)) {
    if (name === end) break;
    put(copy, name, object[name] ?? null);
  }
  return copy;
}

/** The items of an array; one behind a flag, such as `--password`, is the flag's value. */
function scrubItems(items: Json[], within: Place): Json[] {
  const place = below(within);
  let copy: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    place.step = index;
    const cleaned = isValueOf(items[index - 1], item) ? hide(place) : scrub(item, place);
    if (cleaned !== item) copy ??= [...items];
    if (copy) copy[index] = cleaned;
  }
  return copy ?? items;
}

function isValueOf(flag: Json | undefined, item: Json): boolean {
  if (typeof flag !== "string" || typeof item !== "string" || item.startsWith("-")) return false;
  return /^--?[a-z][\w-]*$/i.test(flag) && isSecret(flag, item);
}

function scrubText(value: string, place: Place): string {
  const cleaned = redactText(value);
  if (cleaned !== value) place.redactions.push(pointerOf(place));
  return cleaned;
}

function hide(place: Place): string {
  place.redactions.push(pointerOf(place));
  return REDACTED;
}

/** The place of what is one step below, which its caller names step by step. */
function below(within: Place): Place {
  return { redactions: within.redactions, depth: within.depth + 1, within };
}

function pointerOf({ within, step }: Place): string {
  if (!within) return "";
  return `${pointerOf(within)}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Whether a member of this name holds a secret; a table's primary key isn't one, nor what one may do to secrets. */
function holdsSecret(name: string, value: Json): boolean {
  if (!isSecret(name, typeof value === "string" ? value : undefined)) return false;
  if (typeof value === "object" && /^primary_?keys?$/i.test(name)) return false;
  return !(Array.isArray(value) && value.every(isPermission));
}

function isPermission(item: Json): boolean {
  return typeof item === "string" && PERMISSIONS.has(item.toLowerCase());
}

/** Switches, nothing and empty things are never secret. */
function isEmpty(value: Json): boolean {
  if (typeof value === "object") return value === null || Object.keys(value).length === 0;
  return typeof value === "boolean" || value === "";
}

/** Whether the value of a name-value pair is secret, by its name, or because something beside it says so. */
function isSecretPair(object: JsonObject): boolean {
  const named = Object.keys(object).find((name) => VALUES.test(name));
  if (named === undefined) return false;
  const value = object[named];
  const text = typeof value === "string" ? value : undefined;
  return Object.entries(object).some(
    ([name, about]) =>
      (LABELS.test(name) && typeof about === "string" && isSecret(about, text)) ||
      (/^(?:sensitive|no_?echo|is_?secret|secret|secure)$/i.test(name) &&
        (about === true || about === "true")) ||
      (/^type$/i.test(name) && about === "SecureString"),
  );
}

/** What a Kubernetes Secret keeps. */
function isSecretData(name: string, { kind }: JsonObject): boolean {
  return kind === "Secret" && (name === "data" || name === "stringData");
}

/** A member's name that holds a token itself is cleaned too, and stays one of its own. */
function nameFor(given: string, taken: JsonObject, place: Place): string {
  const cleaned = redactForms(given);
  if (cleaned === given) return given;
  const renamed = (place.renamed ??= new Map<string, number>());
  let count = renamed.get(cleaned) ?? 0;
  let name: string;
  do {
    count += 1;
    name = count === 1 ? cleaned : `${cleaned} ${count}`;
  } while (Object.hasOwn(taken, name));
  renamed.set(cleaned, count);
  return name;
}
