import { placedIn, type Placed } from "./placed.ts";
import { commonKind, type Kind } from "./kinds.ts";
import { EXACT, likeness } from "./likeness.ts";
import { objectOf, placesIn, type Place } from "./places.ts";
import type { Argument, Member } from "./schema.ts";
import { differInUnit, plain, singular, wordsOf } from "./words.ts";

/** An argument's counterpart in the cloud. */
export interface Joined {
  /** Path of the argument, with the blocks around it. */
  attribute: string;
  /** Path of the member, relative to the counterpart of the nearest block around it. */
  live: string;
  kind: Kind;
  isFixed: boolean;
}

/** Where arguments are sought. */
interface Scope {
  /** Path of the block around the arguments, with a dot at the end. */
  within: string;
  /** Names of the blocks around them without a counterpart. */
  around: readonly string[];
  places: readonly Place[];
  about: ReadonlySet<string>;
  placed: ReadonlyMap<string, Placed>;
}

interface Pair {
  argument: Argument;
  place: Place;
  kind: Kind;
  score: number;
}

/** Returns the counterparts of a type's arguments among the members of a resource. */
export function joined(type: string, args: readonly Argument[], resource: Member): Joined[] {
  const about = new Set(wordsOf(type.replace(/^[a-z]+_/, "")));
  return inScope(args, { within: "", around: [], places: placesIn(resource), about, placed: placedIn(type) });
}

function inScope(args: readonly Argument[], scope: Scope): Joined[] {
  const taken = new Set<string>();
  const values = matched(
    args.filter(({ kind }) => kind !== "block"),
    scope,
    taken,
  );
  return [
    ...values,
    ...args.filter(({ kind }) => kind === "block").flatMap((block) => inBlock(block, scope, taken)),
  ];
}

/** Matches values with members, the surest first. A member that is certainly another argument's isn't used again. */
function matched(args: readonly Argument[], scope: Scope, taken: Set<string>): Joined[] {
  const pairs = args.flatMap((argument) => pairsOf(argument, scope));
  const found = new Map<Argument, Pair>();
  for (const pair of pairs.toSorted((one, other) => other.score - one.score)) {
    if (found.has(pair.argument) || (taken.has(pair.place.path) && pair.score < EXACT - 5)) continue;
    if (isAmbiguous(pair, pairs)) continue;
    found.set(pair.argument, pair);
    taken.add(pair.place.path);
  }
  return [...found.values()].map(({ argument, place, kind }) => ({
    attribute: scope.within + argument.name,
    live: place.path,
    kind,
    isFixed: place.member.isFixed === true,
  }));
}

function pairsOf(argument: Argument, { around, places, about }: Scope): Pair[] {
  const words = wordsOf(argument.name);
  return places.flatMap((place) => {
    const score = likeness({ name: argument.name, around }, place, about);
    const kind = score > 0 && !differInUnit(words, place.words) ? commonKind(argument, place) : undefined;
    return kind === undefined ? [] : [{ argument, place, kind, score }];
  });
}

/** Reports whether another member is as likely, unless both are spelled exactly alike. */
function isAmbiguous({ argument, place, score }: Pair, pairs: readonly Pair[]): boolean {
  return (
    score < EXACT - 5 &&
    pairs.some(
      (other) => other.argument === argument && other.score === score && other.place.path !== place.path,
    )
  );
}

function inBlock(block: Argument, scope: Scope, taken: Set<string>): Joined[] {
  const place = counterpart(block, scope, taken);
  const within = `${scope.within}${block.name}.`;
  const object = place && objectOf(place.member);
  if (place === undefined || object === undefined) {
    if (block.isMany) return [];
    const inner = inScope(block.inner, { ...scope, within, around: [...scope.around, block.name] });
    return unclaimed(inner, taken);
  }
  taken.add(place.path);
  const about = scope.about.union(new Set([...wordsOf(block.name), ...place.words]));
  const inner = inScope(block.inner, {
    within,
    around: [],
    places: placesIn(object),
    about,
    placed: scope.placed,
  });
  if (inner.length === 0) return [];
  const { isFixed = false } = place.member;
  const own = {
    attribute: scope.within + block.name,
    live: place.path,
    kind: scope.placed.get(scope.within + block.name)?.kind ?? (block.isMany ? "blocks" : "block"),
  };
  return [{ ...own, isFixed }, ...inner];
}

/** Returns the pairs of a block without a counterpart whose members, or whose blocks' members, aren't taken yet. */
function unclaimed(found: readonly Joined[], taken: Set<string>): Joined[] {
  const blocks = new Map<string, boolean>();
  return found.filter(({ attribute, live, kind }) => {
    const around = [...blocks.keys()].find((block) => attribute.startsWith(`${block}.`));
    if (around !== undefined) return blocks.get(around);
    const isFree = !taken.has(live);
    taken.add(live);
    if (kind.startsWith("block")) blocks.set(attribute, isFree);
    return isFree;
  });
}

/** Returns the object or list of objects that a block stands for, by its name and the names inside. */
function counterpart(block: Argument, scope: Scope, taken: ReadonlySet<string>): Place | undefined {
  const known = scope.placed.get(scope.within + block.name);
  if (known !== undefined) {
    const path = known.live.replace(/\[\w+=\w+\]$/, "");
    const found = scope.places.find((place) => place.path === path);
    return found && { ...found, path: known.live };
  }
  const rated = scope.places
    .filter((place) => !place.isEach && !taken.has(place.path))
    .flatMap((place) => {
      const object = objectOf(place.member);
      const score = object && scoreOf(block, place, object, scope);
      return score === undefined ? [] : [{ place, score }];
    });
  return rated.toSorted((one, other) => other.score - one.score)[0]?.place;
}

function scoreOf(
  block: Argument,
  place: Place,
  object: Member,
  { around, about }: Scope,
): number | undefined {
  const named = likeness({ name: block.name, around }, place, about);
  const { hits, share } = fit(block, object);
  const hasInside = hits > 0 || block.inner.some(({ kind }) => kind === "block");
  const fits = [
    named >= EXACT - 5 && hasInside,
    named >= 40 && share >= 0.3,
    hits > 0 && isWithin(block.name, place),
    hits >= 3 && share >= 0.6 && isAbout(block, place),
  ];
  if (!fits.includes(true)) return undefined;
  return named + 100 * share + 10 * commonWords(block.name, place) - place.steps.length;
}

/** Reports whether a member is one object like the block, or a list whose name has a word of the block's. */
function isAbout({ name, isMany }: Argument, { member, steps }: Place): boolean {
  if (isMany !== (member.kind === "list")) return false;
  const last = steps.at(-1) ?? "";
  const words = wordsOf(last);
  return (
    !isMany ||
    plain(last).includes(singular(plain(name))) ||
    wordsOf(name).some((word) => words.includes(word))
  );
}

/** Reports whether a member of the object itself has all words of a name. */
function isWithin(name: string, { words, steps }: Place): boolean {
  return (
    steps.length === 1 && wordsOf(name).length > 1 && wordsOf(name).every((word) => words.includes(word))
  );
}

/** Returns the words of a name after those of the block around it; undefined if there are none. */
function withoutFirst(name: string, about: ReadonlySet<string>): string | undefined {
  const words = wordsOf(name);
  const first = words.findIndex((word) => !about.has(word));
  return first > 0 ? words.slice(first).join(" ") : undefined;
}

function commonWords(name: string, { words }: Place): number {
  return new Set(wordsOf(name)).intersection(new Set(words)).size;
}

/** Counts the arguments of a block that an object has under the same name, or with the block's words in front. */
function fit(block: Argument, object: Member): { hits: number; share: number } {
  const members = [...(object.members?.().keys() ?? [])];
  const names = new Set(members.map(plain));
  const about = new Set(wordsOf(block.name));
  const ownNames = new Set(members.map((name) => withoutFirst(name, about)));
  const hits = block.inner.filter(
    ({ name }) =>
      names.has(plain(name)) || names.has(plain(`${name}s`)) || ownNames.has(wordsOf(name).join(" ")),
  ).length;
  return { hits, share: hits / Math.max(1, block.inner.length) };
}
