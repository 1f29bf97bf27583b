import type { MatchKey } from "../clouds/cloud.ts";
import { ambiguousOf } from "./ambiguous.ts";
import { FULL_ID, indexByKey, KEYS, levelOf } from "./key-index.ts";
import { slotsOf, type Slots } from "./slots.ts";

/** One declared resource that can be in the account whose live resources are matched. */
export interface Declared {
  id: string;
  sourceId: string;
  /** Absent where its identifiers name none. */
  region: string | undefined;
  /** Surest first, at most 31. */
  keys: readonly MatchKey[];
  /** Held inside another declared resource: it yields to what the state declares by itself. */
  inline: boolean;
  /** It names no account, and another account has a live resource that it matches. */
  contested: boolean;
}

/** A live resource, as matching looks at it. */
export interface Live {
  id: string;
  region: string | undefined;
  keys: readonly MatchKey[];
}

/** One live resource and a declared one that are the same. */
export interface Pair {
  liveId: string;
  declared: Declared;
  /** 1 to 4, the level of the key that both have. */
  level: number;
}

/** Finds the pairs of live and declared resources of one account. */
export interface Matcher {
  /** Looks at one live resource; it isn't kept when nothing declared has a key of it. */
  see(live: Live): void;
  /**
   * All pairs. Keys join level by level, and only where they are unique on both sides: a key that two live
   * or two declared resources of a source share is skipped, never guessed, but for a full id: what a source declares alike at
   * several addresses is the same at all of them. Regions that differ are no match. Each source is matched for itself,
   * so that one live resource can be in a pair of each.
   */
  pairs(): Pair[];
  /**
   * Those among what was seen since the last time, which what comes later may yet prove wrong. No declared resource is in
   * one twice.
   */
  latest(): Pair[];
  /** Whether `pairs` may differ from what `latest` has told. */
  isRevised(): boolean;
  /**
   * Ids of declared ones that are in no pair, but have a key of a live one that is in no pair of their source: it may be
   * theirs, though nobody can tell. To be asked after `pairs`, or `latest` where nothing is revised. What another one
   * holds inline is never missing, so that it isn't among them, and its copy may be any that is declared by itself.
   */
  ambiguous(): string[];
}

/** A live and a declared resource that share keys: bit n of `shared` is the declared one's key n. */
interface Candidate {
  liveId: string;
  /** Place of the live resource in the order in which they were seen. */
  live: number;
  /** Place of the declared one. */
  declared: number;
  shared: number;
}

/** A candidate, and the levels at which it is sure: bit n is level n. */
interface Claim extends Candidate {
  levels: number;
}

/** What a state holds inline comes after everything that it declares by itself. */
const PASSES = [false, true].flatMap((inline) => [1, 2, 3, 4].map((level) => ({ inline, level })));

export function createMatcher(declared: readonly Declared[]): Matcher {
  const { leadsOf, crowds } = indexByKey(declared);
  /** How many live resources have each key of each declared one; two are as bad as many. */
  const lives = new Uint8Array(declared.length * KEYS);
  const candidates: Candidate[] = [];
  const slots = slotsOf(declared);
  /** Place of the live one that each declared one was last told to be, 0 for none. */
  const paired = new Uint32Array(declared.length);
  let seen = 0;
  /** When each declared one was first found: pairs depend on each other only through a live or a declared one of both. */
  const rounds = new Uint32Array(declared.length);
  let round = 1;
  let told = 0;
  let revised = false;
  const pairsAmong = (some: readonly Candidate[]): Pair[] =>
    pairsOf(claimsOf(some, declared, lives), declared, { slots, paired });
  return {
    see({ id, region, keys }) {
      const begin = candidates.length;
      seen += 1;
      /** Whom the key before led to: two that share a key mostly share them all. */
      let before = -1;
      for (const key of keys) {
        const { codes, crowd } = leadsOf(key, before);
        crowd?.see(seen, region);
        for (const code of codes) {
          before = Math.floor(code / KEYS);
          if (differ(region, declared[before]?.region)) continue;
          lives[code] = lives[code] === 0 ? 1 : 2;
          if (rounds[before] === 0) rounds[before] = round;
          revised ||= rounds[before] !== round;
          const candidate = since(candidates, begin, before) ?? add(candidates, id, seen, before);
          candidate.shared |= 1 << (code % KEYS);
        }
      }
    },
    pairs() {
      paired.fill(0);
      return pairsAmong(candidates);
    },
    latest() {
      const fresh = candidates.slice(told).filter(({ declared: one }) => rounds[one] === round);
      told = candidates.length;
      round += 1;
      return pairsAmong(fresh);
    },
    isRevised: () => revised,
    ambiguous: () => ambiguousOf({ declared, paired, candidates, crowds, slots }),
  };
}

/** The candidate with the declared resource `one` among those from `begin` on. */
function since(candidates: readonly Candidate[], begin: number, one: number): Candidate | undefined {
  for (let index = begin; index < candidates.length; index += 1) {
    const known = candidates[index];
    if (known?.declared === one) return known;
  }
  return undefined;
}

function add(candidates: Candidate[], liveId: string, live: number, declared: number): Candidate {
  const candidate = { liveId, live, declared, shared: 0 };
  candidates.push(candidate);
  return candidate;
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** Candidates with the levels of the keys that nobody else has: no other live resource, no other declared one. */
function claimsOf(
  candidates: readonly Candidate[],
  declared: readonly Declared[],
  lives: Uint8Array,
): Claim[] {
  const claims: Claim[] = [];
  for (const candidate of candidates) {
    let levels = 0;
    let code = candidate.declared * KEYS;
    for (const key of declared[candidate.declared]?.keys ?? []) {
      const isSure = (candidate.shared & (1 << (code % KEYS))) !== 0 && lives[code] === 1;
      if (isSure) levels |= 1 << levelOf(key);
      code += 1;
    }
    if (levels !== 0) claims.push({ ...candidate, levels });
  }
  return claims;
}

/** @param paired takes the place of the live one of each declared one that is in a pair */
function pairsOf(
  claims: readonly Claim[],
  declared: readonly Declared[],
  { slots, paired }: { slots: Slots; paired: Uint32Array },
): Pair[] {
  const slotOf: SlotOf = ({ live, declared: one }) => slots.slotAt(live, slots.sourceOf(one));
  const pairs: Pair[] = [];
  let open = claims;
  for (const { inline, level } of PASSES) {
    const asked = open.filter(
      ({ declared: one, levels }) => (levels & (1 << level)) !== 0 && declared[one]?.inline === inline,
    );
    const sure = agreeing(asked, slotOf, declared);
    if (sure.length === 0) continue;
    for (const claim of sure) {
      const one = declared[claim.declared];
      if (one) pairs.push({ liveId: claim.liveId, declared: one, level });
      paired[claim.declared] = claim.live;
    }
    open = without(open, sure, slotOf, declared.length);
  }
  return pairs;
}

type SlotOf = (candidate: Candidate) => number;

/** Claims of one level that no other contradicts: neither side has found another. */
function agreeing(claims: readonly Claim[], slotOf: SlotOf, declared: readonly Declared[]): Claim[] {
  const lives = new Uint8Array(declared.length);
  for (const { declared: one } of claims) lives[one] = lives[one] === 0 ? 1 : 2;
  const areRivals = (one: Claim, other: Claim): boolean =>
    slotOf(one) === slotOf(other) && !areTwins(one, other, declared);
  return claims.filter((claim, index) => lives[claim.declared] === 1 && !hasRival(claims, index, areRivals));
}

/** Whether two are declared alike, and found by a full id: what is of another type may only carry the id of this one. */
function areTwins(one: Claim, other: Claim, declared: readonly Declared[]): boolean {
  const keys = declared[one.declared]?.keys ?? [];
  const others = declared[other.declared]?.keys;
  const isFound = keys.some((key, place) => levelOf(key) === FULL_ID && (one.shared & (1 << place)) !== 0);
  return isFound && keys.length === others?.length && keys.every((key, place) => key === others[place]);
}

/** Whether its live resource has found another of its source. Claims of a live resource stand together. */
function hasRival(
  claims: readonly Claim[],
  index: number,
  areRivals: (one: Claim, other: Claim) => boolean,
): boolean {
  const claim = claims[index];
  if (!claim) return false;
  for (const step of [-1, 1]) {
    let place = index + step;
    for (let other = claims[place]; other?.live === claim.live; other = claims[(place += step)]) {
      if (areRivals(claim, other)) return true;
    }
  }
  return false;
}

/** What is left once pairs are found: each declared resource is in one, and a live one is found for its source. */
function without(open: readonly Claim[], found: readonly Claim[], slotOf: SlotOf, declared: number): Claim[] {
  const isPaired = new Uint8Array(declared);
  const slots = new Set<number>();
  for (const claim of found) {
    isPaired[claim.declared] = 1;
    slots.add(slotOf(claim));
  }
  return open.filter((claim) => isPaired[claim.declared] === 0 && !slots.has(slotOf(claim)));
}
