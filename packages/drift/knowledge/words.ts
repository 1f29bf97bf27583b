/** Returns a name in lower case without separators. */
export function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** Words that say nothing about the meaning of a name. */
const EMPTY: ReadonlySet<string> = new Set(
  `config configuration option setting list set spec specification profile property info is enable enabled details
  parameters parameter input`
    .split(/\s+/)
    .map(singular),
);

const known = new Map<string, readonly string[]>();

/** Returns the words of a path in singular, without empty ones. */
export function wordsOf(path: string): readonly string[] {
  let words = known.get(path);
  if (words === undefined) known.set(path, (words = split(path)));
  return words;
}

function split(path: string): string[] {
  return path
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map(singular)
    .filter((word) => word !== "" && !EMPTY.has(word))
    .flatMap((word) => SHORT.get(word) ?? [stem(word)]);
}

/** Abbreviations that only one side uses. */
const SHORT: ReadonlyMap<string, readonly string[]> = new Map([
  ["lb", ["load", "balanc"]],
  ["loadbalancer", ["load", "balanc"]],
  ["balancer", ["balanc"]],
  ["min", ["minimum"]],
  ["max", ["maximum"]],
  ["az", ["availability", "zon"]],
  ["vm", ["virtual", "machin"]],
  ["sg", ["security", "group"]],
]);

/** Returns the beginning that `log`, `logs`, `logged` and `logging` share. */
function stem(word: string): string {
  if (word.length < 5) return word;
  return word.replace(/(?:(?<=.{4})ion|ing|ed|e)$/, "").replace(/([^aeiouls])\1$/, "$1");
}

/** Returns a word in singular. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

/** Words that name the notation of a reference or quantity; one side may omit them. */
const NOTATION: ReadonlySet<string> = new Set(
  "id arn name in second minute day value resource aws amazon uri url s3 number".split(" ").map(stem),
);

/** Reports whether a word may be omitted from a name. */
export function isNotation(word: string): boolean {
  return NOTATION.has(word);
}

const UNITS: readonly (readonly string[])[] = [
  ["millisecond", "milli", "ms"],
  ["second", "sec"],
  ["minute", "min"],
  ["hour"],
  ["day"],
  ["month"],
  ["year"],
  ["byte"],
  ["kb", "kilobyte"],
  ["mb", "mib", "megabyte"],
  ["gb", "gib", "gigabyte"],
  ["tb", "tib"],
  ["percent", "percentage"],
].map((unit) => unit.map(stem));

function unitOf(words: readonly string[]): number {
  return UNITS.findIndex((unit) => words.some((word) => unit.includes(word)));
}

/** Reports whether both names have a unit, and not the same. */
export function differInUnit(one: readonly string[], other: readonly string[]): boolean {
  const [mine, theirs] = [unitOf(one), unitOf(other)];
  return mine >= 0 && theirs >= 0 && mine !== theirs;
}

const NEGATION: ReadonlySet<string> = new Set(["disable", "disallow", "not", "no", "without"].map(stem));

/** Reports whether a name negates what it names, such as `disableLocalAuth`. */
export function isNegated(words: readonly string[]): boolean {
  return words.some((word) => NEGATION.has(word));
}

/** Returns words without negations. */
export function affirmed(words: readonly string[]): string[] {
  return words.filter((word) => !NEGATION.has(word));
}
