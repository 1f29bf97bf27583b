import type { Place } from "./places.ts";
import { affirmed, isNotation, plain, singular, wordsOf } from "./words.ts";

/** An argument's name within the arguments around it. */
export interface Named {
  name: string;
  /** Names of the blocks around it that have no counterpart. */
  around: readonly string[];
}

/** Names of what turns a block on. */
const SWITCH = /^(?:is_?)?enabled?$/i;

/** How sure a counterpart is, by its name. */
export const EXACT = 100;
const SAME_WORDS = 80;
const ALMOST = 55;

/**
 * Returns how alike an argument's and a member's names are, from 0 to `EXACT`.
 * @param about words of the type and of the blocks around; they can be in either name
 */
export function likeness({ name, around }: Named, place: Place, about: ReadonlySet<string>): number {
  const full = [...around, name];
  const words = wordsOf(full.join("_"));
  const isEndAlike = areAlike(name, place.steps.at(-1) ?? "");
  if (!isEndAlike && !words.some((word) => place.words.includes(word))) return 0;
  if (plain(full.join("")) === plain(place.path)) return EXACT - place.steps.length + 1;
  if (isEndAlike && full.length === 1 && place.steps.length === 1) return EXACT - 2;
  return likenessInWords(words, place, about) || (isEndAlike ? likenessAtEnd(full, place, about) : 0);
}

function areAlike(name: string, end: string): boolean {
  return singular(plain(name)) === singular(plain(end)) || (SWITCH.test(name) && SWITCH.test(end));
}

function likenessInWords(words: readonly string[], place: Place, about: ReadonlySet<string>): number {
  // A name of the type's own words alone is compared with all of them.
  const own = core(words, about).size > 0 ? about : NONE;
  const [mine, theirs] = [core(words, own), core(place.words, own)];
  if (mine.size > 0 && mine.symmetricDifference(theirs).size === 0) return SAME_WORDS - place.steps.length;
  return isAlmost(mine, theirs) ? ALMOST - place.steps.length : 0;
}

const NONE: ReadonlySet<string> = new Set();

function core(words: readonly string[], about: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(affirmed(words)).difference(about);
}

/** Reports whether two sets of words differ only in the notation of a value: `kms_key_arn`, `KmsKeyId`. */
function isAlmost(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const common = one.intersection(other);
  return (
    [...common].some((word) => !isNotation(word)) && [...one.symmetricDifference(other)].every(isNotation)
  );
}

/** Returns the likeness of names that end alike, if the rest of the path is about what is around the argument. */
function likenessAtEnd(
  names: readonly string[],
  { steps, words }: Place,
  about: ReadonlySet<string>,
): number {
  if (names.length === 1) return steps.length <= 2 ? ALMOST - 5 - steps.length : 0;
  const around = wordsOf(names.slice(0, -1).join("_"));
  const known = about.union(new Set(wordsOf(names.join("_"))));
  const isAround = around.some((word) => words.includes(word)) && words.every((word) => known.has(word));
  return isAround ? ALMOST - 10 - steps.length : 0;
}
