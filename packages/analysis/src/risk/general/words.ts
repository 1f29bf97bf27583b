import type { Json } from "@leeway/shared/values/json";

/** Words with which settings of any provider express how much they guard, encrypt, hide or authenticate. */

/** A pattern for each step, loosest first; a value that matches none has no rank. */
type Scale = readonly RegExp[];

const OFF =
  /^(?:false|off|no|none|disabled?|inactive|stopped|paused|suspended|terminated|not_signing|unsigned|0)$/;
const ON = /^(?:true|on|yes|enabled?|active|running|started|protected|always|signing|signed)$/;

const STRICTNESS: Scale = [
  /^(?:allow\w*|always_allow|pass|ignore\w*|none|off|disabled?|privileged|inactive|open|skip|bypass)$/,
  /^(?:count|audit\w*|detect\w*|logs?|log_only|monitor\w*|report\w*|preview|warn\w*|alert\w*|dry_?run\w*|simulat\w*|evaluat\w*|permissive|baseline|optional|enabled_?for_?reporting\w*|do_?not_?enforce\w*)$/,
  /^(?:block\w*|den(?:y|ied)\w*|drop\w*|reject\w*|prevent\w*|enforc\w*|require\w*|restrict\w*|quarantine|strict|\w+_enforced?|fail(?:_?closed?)?|forward_to_sfe)$/,
];

const ENCRYPTION: Scale = [
  /^(?:false|none|off|no|disabled?|plain_?text|http|http_?only|tcp|unencrypted|allow_unencrypted\w*)$/,
  /^(?:optional|\w+_optional|permissive|preferr?e?d?|allow\w*|tls_plaintext|mixed|both|http_?and_?https|match_?request|http_?https)$/,
  /^(?:true|on|yes|enabled?|required?|\w+_required|enforced?|strict|always|\w+_always|\w+_only|tls|ssl|https|https_?only|kms|sse|sse_\w+|aws_kms|sasl_ssl|encrypted\w*)$/,
  /^(?:verify\w*|full_strict)$/,
];

const PRIVATE =
  /^(?:private|internal|vpc|vpc_?only|private_?only|internal_?only|internal_\w+|clusterip|cluster_ip|isolated)$/;
const PUBLIC =
  /^(?:public|publicly\w*|public_\w+|external\w*|regional|edge|internet\w*|public_?internet\w*|loadbalancer|load_balancer|all|everyone)$/;
const UNAUTHENTICATED =
  /^(?:none|no_?auth\w*|anonymous|allow_?anonymous|unauthenticated|open|open_access|no_password\w*|public|disabled|off|api_?key)$/;
const ANYBODY =
  /^(?:\*|\*:\*|any|anyone|everyone|everybody|any_(?:identity|user\w*|service_account)|allusers)$/;

const LONGEST_WORD = 60;
const DAYS: Readonly<Record<string, number>> = { y: 365, m: 30, w: 7, d: 1 };

/** Parses a duration: a number, or `604800s`, `P10Y` or `PT0S`. NaN for anything else. */
export function lengthOf(value: Json | undefined): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || value.trim() === "") return Number.NaN;
  const [, years, unit = ""] = /^P(\d{1,6})([YMWD])$/i.exec(value) ?? [];
  if (years !== undefined) return Number(years) * (DAYS[unit.toLowerCase()] ?? 1);
  const plain = /^(?:PT)?(\d{1,12}(?:\.\d{1,9})?)s?$/i.exec(value)?.[1];
  return plain === undefined ? Number.NaN : Number(plain);
}

/** Returns the words of a value or list, in lower case and without a namespace: `aws:pass` is `pass`. */
function wordsOf(value: Json | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => {
    if (typeof one !== "string" && typeof one !== "boolean") return [];
    const word = String(one).trim().replace(/^aws:/, "");
    return word.length > 0 && word.length <= LONGEST_WORD ? [normal(word)] : [];
  });
}

/** Normalizes a name or word to lower case with underscores. */
export function normal(text: string): string {
  return text
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, "_")
    .replaceAll(/[-()]+/g, "_")
    .replace(/_$/, "")
    .toLowerCase();
}

/** Returns the rank of the loosest word; undefined if a word has none. */
function rankIn(scale: Scale, words: readonly string[]): number | undefined {
  const ranks = words.map((word) => scale.findIndex((step) => step.test(word)));
  return ranks.length === 0 || ranks.includes(-1) ? undefined : Math.min(...ranks);
}

/** Both values of a setting. */
interface Sides {
  before: Json | undefined;
  after: Json | undefined;
}

/** Returns whether a setting that blocked now only monitors or allows. */
export function isUnblocked({ before, after }: Sides): boolean {
  const [was, is] = [before, after].map((side) => rankIn(STRICTNESS, wordsOf(side)));
  return was === 2 && is !== undefined && is < was;
}

/** Extends {@link isUnblocked} to guards whose words include on and off. */
export function isLoosened(sides: Sides): boolean {
  const [was, is] = [wordsOf(sides.before), wordsOf(sides.after)];
  const guarded = was.length > 0 && was.every((word) => ON.test(word) || STRICTNESS[2]?.test(word));
  const isLoose = is.length > 0 && is.every((word) => OFF.test(word) || isBelow(STRICTNESS, word));
  return guarded && isLoose;
}

function isBelow(scale: Scale, word: string): boolean {
  const rank = rankIn(scale, [word]);
  return rank !== undefined && rank < 2;
}

/** Returns whether a setting requires less encryption than before. */
export function isPlainer({ before, after }: Sides): boolean {
  const [was, is] = [before, after].map((side) => rankIn(ENCRYPTION, wordsOf(side)));
  return was !== undefined && is !== undefined && was >= 2 && is < was;
}

/** Returns whether a setting goes from `private` or similar to `public` or similar. */
export function isPublished({ before, after }: Sides): boolean {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  return (
    was.some((word) => PRIVATE.test(word)) && is.some((word) => PUBLIC.test(word) && !was.includes(word))
  );
}

/** Returns whether a setting with a sign-in method now has none, or one that everyone passes. */
export function isUnauthenticated({ before, after }: Sides): boolean {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  return (
    was.length > 0 &&
    !was.some((word) => UNAUTHENTICATED.test(word)) &&
    is.some((word) => UNAUTHENTICATED.test(word))
  );
}

/** Returns whether a setting newly names everyone. */
export function isForAnybody({ before, after }: Sides): boolean {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  return !was.some((word) => ANYBODY.test(word)) && is.some((word) => ANYBODY.test(word));
}

/** Returns whether a duration becomes zero. */
export function isEnded({ before, after }: Sides): boolean {
  return lengthOf(before) > 0 && lengthOf(after) === 0;
}

/** Returns whether a duration decreases, but not to zero, which may mean unlimited. */
export function isShorter({ before, after }: Sides): boolean {
  return lengthOf(after) > 0 && lengthOf(after) < lengthOf(before);
}

/** Returns whether a switch goes from on to off, or a negative one such as `disabled` from off to on. */
export function isSwitchedOff({ before, after }: Sides, isNegative: boolean): boolean {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  const [from, to] = isNegative ? [OFF, ON] : [ON, OFF];
  const began = was.length === 0 ? isNegative : was.every((word) => from.test(word));
  return began && is.length > 0 && is.every((word) => to.test(word));
}
