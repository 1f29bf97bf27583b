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

/** A declared resource, and how many live ones have each of its keys. */
interface Sought {
  declared: Declared;
  lives: number[];
}

/** A key of a declared resource, by its place among them. */
interface SoughtKey {
  sought: Sought;
  place: number;
}

/** A live and a declared resource that share keys: bit n of `shared` is the declared one's key n. */
interface Candidate {
  liveId: string;
  sought: Sought;
  /** The live resource and the source, of which a pair may hold each combination once. */
  slot: string;
  shared: number;
}

/** What a state holds inline comes after everything that it declares by itself. */
const PASSES = [false, true].flatMap((inline) => [1, 2, 3, 4].map((level) => ({ inline, level })));

export function createMatcher(declared: Iterable<Declared>): Matcher {
  const byKey = indexByKey(declared);
  const candidates: Candidate[] = [];
  return {
    see({ id, region, keys }) {
      const begin = candidates.length;
      for (const key of keys) {
        for (const { sought, place } of byKey.get(key) ?? []) {
          if (differ(region, sought.declared.region)) continue;
          sought.lives[place] = (sought.lives[place] ?? 0) + 1;
          candidateSince(candidates, begin, id, sought).shared |= 1 << place;
        }
      }
    },
    pairs() {
      const pairs: Pair[] = [];
      let open: readonly Candidate[] = candidates;
      for (const { inline, level } of PASSES) {
        const sure = agreeing(open.filter((candidate) => isSure(candidate, inline, level)));
        if (sure.length === 0) continue;
        for (const { liveId, sought } of sure) pairs.push({ liveId, declared: sought.declared, level });
        open = without(open, sure);
      }
      return pairs;
    },
  };
}

/** The live resource's candidate with `sought`, among those that it has added from `begin` on. */
function candidateSince(candidates: Candidate[], begin: number, liveId: string, sought: Sought): Candidate {
  for (let index = begin; index < candidates.length; index += 1) {
    const known = candidates[index];
    if (known?.sought === sought) return known;
  }
  const candidate = { liveId, sought, slot: liveId + sought.declared.sourceId, shared: 0 };
  candidates.push(candidate);
  return candidate;
}

/** Every key with whom it leads to. Two of a source with one key in one region make it useless for both. */
function indexByKey(declared: Iterable<Declared>): Map<MatchKey, SoughtKey[]> {
  const byKey = new Map<MatchKey, SoughtKey[]>();
  for (const one of declared) {
    const sought = { declared: one, lives: [] };
    for (const [place, key] of one.keys.entries()) {
      const sharing = byKey.get(key);
      if (sharing) sharing.push({ sought, place });
      else byKey.set(key, [{ sought, place }]);
    }
  }
  for (const [key, sharing] of byKey) {
    if (sharing.length === 1) continue;
    const rivals = Map.groupBy(
      sharing,
      ({ sought: { declared } }) => `${declared.sourceId} ${declared.region ?? ""}`,
    );
    byKey.set(key, [...rivals.values()].flatMap(withoutRivals));
  }
  return byKey;
}

/** A copy that another resource holds inline is no rival of the standalone declaration: it comes after it. */
function withoutRivals(sharing: readonly SoughtKey[]): SoughtKey[] {
  const standalone = sharing.filter(({ sought }) => !sought.declared.inline);
  const inline = sharing.filter(({ sought }) => sought.declared.inline);
  if (standalone.length > 1) return [];
  return inline.length === 1 ? [...standalone, ...inline] : standalone;
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** Whether a shared key of the level is unique: no other live resource has it, and no other declared one. */
function isSure({ sought: { declared, lives }, shared }: Candidate, inline: boolean, level: number): boolean {
  if (declared.inline !== inline) return false;
  return declared.keys.some(
    (key, place) => (shared & (1 << place)) !== 0 && lives[place] === 1 && levelOf(key) === level,
  );
}

function levelOf(key: MatchKey): number {
  return key.charCodeAt(0) - 48; // the digit that it begins with
}

/** Candidates of one level that no other contradicts: neither side has found another. */
function agreeing(sure: readonly Candidate[]): readonly Candidate[] {
  const livesOf = countBy(sure, ({ sought }) => sought);
  const declarationsOf = countBy(sure, ({ slot }) => slot);
  return sure.filter(({ sought, slot }) => livesOf.get(sought) === 1 && declarationsOf.get(slot) === 1);
}

/** What is left once pairs are found: each declared resource is in one, each live one in one a source. */
function without(open: readonly Candidate[], found: readonly Candidate[]): Candidate[] {
  const declared = new Set(found.map(({ sought }) => sought));
  const slots = new Set(found.map(({ slot }) => slot));
  return open.filter(({ sought, slot }) => !declared.has(sought) && !slots.has(slot));
}

function countBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
