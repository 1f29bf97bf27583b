import { ambiguousOf } from "./ambiguous.ts";
import { FULL_ID, indexByKey, KEYS, levelOf } from "./key-index.ts";
import type { Declared, Live, Pair } from "./model.ts";
import { slotsOf, type Slots } from "./slots.ts";

/** Finder of the pairs of live and declared resources of one account. */
export interface Matcher {
  /** Adds a live resource. It isn't kept if no declared resource has one of its keys. */
  see(live: Live): void;
  /**
   * Returns all pairs. Keys are compared level by level, and must be unique on both sides. A key that two live
   * resources share, or two declared ones of a source, is skipped, never guessed. A full id is the exception: a
   * source may declare one resource at several addresses. Resources in different regions don't match. Each source is
   * matched separately, so that a live resource can be in a pair of each.
   */
  pairs(): Pair[];
  /**
   * Returns the pairs among the resources seen since the last call. Later resources may prove them wrong. No declared
   * resource is in two of them.
   */
  latest(): Pair[];
  /** Whether `pairs` may differ from the results of `latest`. */
  isRevised(): boolean;
  /**
   * Returns ids of declared resources without a pair that have a key of a live resource without a pair in their
   * source. That live resource may be theirs. Must be called after `pairs`, or after `latest` if nothing is revised.
   * An inline resource is never missing, so it isn't returned, and a live resource that is paired with it still
   * counts as free.
   */
  ambiguous(): string[];
}

/** A live and a declared resource that share keys. Bit n of `shared` is key n of the declared one. */
interface Candidate {
  liveId: string;
  /** Place of the live resource in the order of `see`. */
  live: number;
  /** Place of the declared resource. */
  declared: number;
  shared: number;
}

/** A candidate, and the levels of its unique keys: bit n is level n. */
interface Claim extends Candidate {
  levels: number;
}

/** The order of matching: inline resources come after all standalone ones. */
const PASSES = [false, true].flatMap((inline) => [1, 2, 3, 4].map((level) => ({ inline, level })));

export function createMatcher(declared: readonly Declared[]): Matcher {
  const { leadsOf, crowds } = indexByKey(declared);
  /** Number of live resources with each key of each declared resource; 2 stands for any larger number, too. */
  const lives = new Uint8Array(declared.length * KEYS);
  const candidates: Candidate[] = [];
  const slots = slotsOf(declared);
  /** Place of each declared resource's live one in the latest result, 0 for none. */
  const paired = new Uint32Array(declared.length);
  let seen = 0;
  /**
   * Round in which each declared resource was first found. Pairs depend on each other only through a resource in
   * both.
   */
  const rounds = new Uint32Array(declared.length);
  let round = 1;
  let returned = 0;
  let revised = false;
  const pairsAmong = (some: readonly Candidate[]): Pair[] =>
    pairsOf(claimsOf(some, declared, lives), declared, { slots, paired });
  return {
    see({ id, region, keys }) {
      const begin = candidates.length;
      seen += 1;
      /** Declared resource of the previous key. Resources that share a key mostly share all of them. */
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
      const fresh = candidates.slice(returned).filter(({ declared: one }) => rounds[one] === round);
      returned = candidates.length;
      round += 1;
      return pairsAmong(fresh);
    },
    isRevised: () => revised,
    ambiguous: () => ambiguousOf({ declared, paired, candidates, crowds, slots }),
  };
}

/** Returns the candidate of the declared resource `one`, from index `begin` on. */
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

/** Returns candidates with the levels of their keys that no other live resource and no other declared one has. */
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

/** @param paired receives the place of the live resource of each declared resource in a pair */
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

/** Returns the claims of one level without rivals on either side. */
function agreeing(claims: readonly Claim[], slotOf: SlotOf, declared: readonly Declared[]): Claim[] {
  const lives = new Uint8Array(declared.length);
  for (const { declared: one } of claims) lives[one] = lives[one] === 0 ? 1 : 2;
  const areRivals = (one: Claim, other: Claim): boolean =>
    slotOf(one) === slotOf(other) && !areTwins(one, other, declared);
  return claims.filter((claim, index) => lives[claim.declared] === 1 && !hasRival(claims, index, areRivals));
}

/**
 * Returns whether two declarations are alike and were found by a full id. A resource of another type may only contain
 * that id.
 */
function areTwins(one: Claim, other: Claim, declared: readonly Declared[]): boolean {
  const keys = declared[one.declared]?.keys ?? [];
  const others = declared[other.declared]?.keys;
  const isFound = keys.some((key, place) => levelOf(key) === FULL_ID && (one.shared & (1 << place)) !== 0);
  return isFound && keys.length === others?.length && keys.every((key, place) => key === others[place]);
}

/**
 * Returns whether a live resource is claimed by another resource of the source. Claims of a live resource are
 * adjacent.
 */
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

/** Returns the claims that are left after pairs were found, without their declared resources and slots. */
function without(open: readonly Claim[], found: readonly Claim[], slotOf: SlotOf, declared: number): Claim[] {
  const isPaired = new Uint8Array(declared);
  const slots = new Set<number>();
  for (const claim of found) {
    isPaired[claim.declared] = 1;
    slots.add(slotOf(claim));
  }
  return open.filter((claim) => isPaired[claim.declared] === 0 && !slots.has(slotOf(claim)));
}
