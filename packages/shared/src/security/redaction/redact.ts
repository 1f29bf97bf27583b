import { put, type Json, type JsonObject } from "../../values/json.ts";
import { isRandom } from "./random-text.ts";
import { isSecret } from "./secret-names.ts";
import { REDACTED } from "../../values/redacted.ts";
import { redactForms, redactText } from "./secret-text.ts";

export { REDACTED } from "../../values/redacted.ts";
export { redactText } from "./secret-text.ts";

const DEEPEST = 200;

/** Names of the halves of a pair such as `{name: "DB_PASSWORD", value: "…"}`, in any case. */
const LABELS = /^(?:name|key|variable|header|(?:parameter|option|output|setting|env|header)_?(?:name|key))$/i;
const VALUES =
  /^(?:values?|(?:parameter|option|output|setting|header|string|secure|default)_?values?|default)$/i;

const PERMISSIONS: ReadonlySet<string> = new Set(
  "get list set delete recover backup restore purge all".split(" "),
);

/** A value without its secrets, and where they were (JSON pointers, RFC 6901). */
export interface Redaction<T> {
  value: T;
  redactions: string[];
}

/**
 * Returns `value` with every secret replaced: members with a secret's name, pairs whose name is a secret's, and texts
 * in the form of a secret. `value` itself isn't modified; parts without secrets are shared with the result.
 */
export function redact<T extends Json>(value: T): Redaction<T> {
  const redactions: string[] = [];
  const cleaned = scrub(value, { redactions, depth: 0 });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- scrubbing keeps the outermost shape
  return { value: cleaned as T, redactions };
}

/** Position of a value. Its pointer is built only when a redaction is recorded. */
interface Place {
  redactions: string[];
  depth: number;
  within?: Place;
  step?: string | number;
  /** Last number appended to a cleaned name. The count saves searching when thousands of names become the same. */
  renamed?: Map<string, number>;
}

function scrub(value: Json, place: Place): Json {
  if (typeof value === "string") return scrubText(value, place);
  if (typeof value !== "object" || value === null) return value;
  if (place.depth > DEEPEST) return hide(place);
  return Array.isArray(value) ? scrubItems(value, place) : scrubMembers(value, place);
}

function scrubMembers(object: JsonObject, within: Place): JsonObject {
  const pair = isSecretPair(object, within);
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

/** Checks whether a member's whole value is hidden. */
function isHidden(
  name: string,
  value: Json,
  { object, pair }: { object: JsonObject; pair: boolean },
): boolean {
  const isSecretHere =
    holdsSecret(name, value) ||
    (pair && VALUES.test(name)) ||
    isSecretData(name, object) ||
    isGenerated(name, object);
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

/** Redacts the items of an array. An item after a flag such as `--password` is that flag's value. */
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
  return /^--?[a-z][\w-]*$/i.test(flag) && (isSecret(flag, item) || (flag === "-p" && isRandom(item)));
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

/** Returns the place of a value's children. The caller sets `step` before each one. */
function below(within: Place): Place {
  return { redactions: within.redactions, depth: within.depth + 1, within };
}

function pointerOf({ within, step }: Place): string {
  if (!within) return "";
  return `${pointerOf(within)}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/**
 * Checks whether a member of this name holds a secret. A table's primary key doesn't, and neither do lists of
 * permissions on secrets.
 */
function holdsSecret(name: string, value: Json): boolean {
  if (!isSecret(name, typeof value === "string" ? value : undefined)) return false;
  if (typeof value === "object" && /^primary_?keys?$/i.test(name)) return false;
  return !(Array.isArray(value) && value.every(isPermission));
}

function isPermission(item: Json): boolean {
  return typeof item === "string" && PERMISSIONS.has(item.toLowerCase());
}

/** Checks for a boolean, null, or an empty value, which is never secret. */
function isEmpty(value: Json): boolean {
  if (typeof value === "object") return value === null || Object.keys(value).length === 0;
  return typeof value === "boolean" || value === "";
}

/** Checks whether the value of a name-value pair is secret, by its name or by a member such as `sensitive: true`. */
function isSecretPair(object: JsonObject, place: Place): boolean {
  if (place.within?.step === "set_sensitive") return true; // Helm releases
  const named = Object.keys(object).find((name) => VALUES.test(name));
  if (named === undefined) return false;
  if (isOriginHeader(place)) return true;
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

/** Checks for a header that CloudFront adds to requests, by whose value its origins recognize it. */
function isOriginHeader(place: Place): boolean {
  const names: string[] = [];
  for (let at: Place | undefined = place; at && names.length < 2; at = at.within)
    if (typeof at.step === "string" && at.step.toLowerCase() !== "items") names.unshift(at.step);
  return /(?:^|[ _])origins?[ _]?custom_?headers?$/i.test(names.join(" "));
}

/** Checks for the values of a Kubernetes Secret or a Vault secret. */
function isSecretData(name: string, { kind, path }: JsonObject): boolean {
  if (name !== "data" && name !== "stringData") return false;
  return kind === "Secret" || (typeof path === "string" && /^(?:secret|kv)\//.test(path));
}

/** Shorter results of Terraform's `random` provider are usually suffixes of bucket or server names. */
const SHORTEST_DRAWN = 12;

/**
 * Checks for a secret from Terraform's `random` provider. Its result has the declared length and may also be its id.
 */
function isGenerated(name: string, { result, length, [name]: value }: JsonObject): boolean {
  if (name !== "result" && name !== "id") return false;
  if (typeof result !== "string" || result.length < SHORTEST_DRAWN) return false;
  return result.length === length && value === result;
}

/** Returns a member's name without any token in it, numbered if another member has that name. */
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
