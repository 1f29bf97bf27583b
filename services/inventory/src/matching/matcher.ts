import type { MatchKey } from "../clouds/cloud.ts";

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
   * or two declared resources of a source share is skipped, never guessed. Regions that differ are no match.
   * Each source is matched for itself, so that one live resource can be in a pair of each.
   */
  pairs(): Pair[];
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
/** Keys a declared resource has at most: one of them is a number, the resource's place times this, and its own. */
const KEYS = 32;

export function createMatcher(declared: readonly Declared[]): Matcher {
  const codesOf = indexByKey(declared);
  /** How many live resources have each key of each declared one; two are as bad as many. */
  const lives = new Uint8Array(declared.length * KEYS);
  const candidates: Candidate[] = [];
  let seen = 0;
  return {
    see({ id, region, keys }) {
      const begin = candidates.length;
      seen += 1;
      for (const key of keys) {
        for (const code of codesOf(key)) {
          const one = Math.floor(code / KEYS);
          if (differ(region, declared[one]?.region)) continue;
          lives[code] = lives[code] === 0 ? 1 : 2;
          const candidate = since(candidates, begin, one) ?? add(candidates, id, seen, one);
          candidate.shared |= 1 << (code % KEYS);
        }
      }
    },
    pairs: () => pairsOf(declared, claimsOf(candidates, declared, lives)),
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

const NONE: readonly number[] = [];

/**
 * Finds whom a key leads to, as numbers of their keys. Two of a source with one key in one region make it
 * useless for both.
 */
function indexByKey(declared: readonly Declared[]): (key: MatchKey) => readonly number[] {
  const byKey = new Map<MatchKey, number>();
  const shared = new Map<MatchKey, number[]>();
  for (const [index, { keys }] of declared.entries()) {
    for (const [place, key] of keys.entries()) {
      const code = index * KEYS + place;
      const first = byKey.get(key);
      if (first === undefined) byKey.set(key, code);
      else if (!shared.get(key)?.push(code)) shared.set(key, [first, code]);
    }
  }
  for (const [key, codes] of shared) shared.set(key, withoutRivals(codes, declared));
  const only = [0];
  return (key) => {
    const code = byKey.get(key);
    if (code === undefined) return NONE;
    const sharing = shared.size === 0 ? undefined : shared.get(key);
    if (sharing) return sharing;
    only[0] = code; // one array for all: nobody keeps it
    return only;
  };
}

function withoutRivals(codes: readonly number[], declared: readonly Declared[]): number[] {
  const rivals = Map.groupBy(codes, (code) => {
    const one = declared[Math.floor(code / KEYS)];
    return `${one?.sourceId} ${one?.region ?? ""}`;
  });
  return [...rivals.values()].flatMap((sharing) => distinguished(sharing, declared));
}

/** A copy that another resource holds inline is no rival of the standalone declaration: it comes after it. */
function distinguished(codes: readonly number[], declared: readonly Declared[]): readonly number[] {
  const { inline = [], standalone = [] } = Object.groupBy(codes, (code) =>
    declared[Math.floor(code / KEYS)]?.inline === true ? "inline" : "standalone",
  );
  if (standalone.length > 1) return [];
  return inline.length === 1 ? [...standalone, ...inline] : standalone;
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

function levelOf(key: MatchKey): number {
  return key.charCodeAt(0) - 48; // the digit that it begins with
}

function pairsOf(declared: readonly Declared[], claims: readonly Claim[]): Pair[] {
  const sources = new Map<string, number>();
  for (const { sourceId } of declared) if (!sources.has(sourceId)) sources.set(sourceId, sources.size);
  /** A live resource and a source, of which a pair may hold each combination once. */
  const slotOf = ({ live, declared: one }: Claim): number =>
    live * sources.size + (sources.get(declared[one]?.sourceId ?? "") ?? 0);
  const pairs: Pair[] = [];
  let open = claims;
  for (const { inline, level } of PASSES) {
    const asked = open.filter(
      ({ declared: one, levels }) => (levels & (1 << level)) !== 0 && declared[one]?.inline === inline,
    );
    const sure = agreeing(asked, slotOf);
    if (sure.length === 0) continue;
    for (const claim of sure) {
      const one = declared[claim.declared];
      if (one) pairs.push({ liveId: claim.liveId, declared: one, level });
    }
    open = without(open, sure, slotOf);
  }
  return pairs;
}

type SlotOf = (claim: Claim) => number;

/** Claims of one level that no other contradicts: neither side has found another. */
function agreeing(claims: readonly Claim[], slotOf: SlotOf): Claim[] {
  const livesOf = countBy(claims, ({ declared }) => declared);
  const declarationsOf = countBy(claims, slotOf);
  return claims.filter(
    (claim) => livesOf.get(claim.declared) === 1 && declarationsOf.get(slotOf(claim)) === 1,
  );
}

/** What is left once pairs are found: each declared resource is in one, each live one in one a source. */
function without(open: readonly Claim[], found: readonly Claim[], slotOf: SlotOf): Claim[] {
  const declared = new Set(found.map((claim) => claim.declared));
  const slots = new Set(found.map(slotOf));
  return open.filter((claim) => !declared.has(claim.declared) && !slots.has(slotOf(claim)));
}

function countBy(claims: readonly Claim[], keyOf: (claim: Claim) => number): Map<number, number> {
  const counts = new Map<number, number>();
  for (const claim of claims) {
    const key = keyOf(claim);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
