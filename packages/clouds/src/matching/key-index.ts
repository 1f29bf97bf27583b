import type { MatchKey } from "../cloud.ts";
import { Crowd } from "./crowd.ts";
import type { Declared } from "./model.ts";

/**
 * Upper bound for the keys of a declared resource. A key's code is its resource's place times this, plus its own
 * place.
 */
export const KEYS = 32;
/** Level of full ids, such as ARNs, which are unique. */
export const FULL_ID = 2;
/** More declarations of the same resource in a source aren't plausible. */
const MAX_TWINS = 16;

/** The declared resources with a key. */
interface Leads {
  /** Codes of the key in the resources that it identifies. */
  codes: readonly number[];
  /** Resources with the key that it doesn't identify, because too many of their source have it. */
  crowd: Crowd | undefined;
}

const NOBODY: Leads = { codes: [], crowd: undefined };

export interface KeyIndex {
  /**
   * Returns the resources of a key, valid until the next call. A key of two resources of a source in one region
   * identifies neither, unless it is a full id.
   * @param likely place of a declared resource that may have the key: a comparison is faster than a lookup
   */
  leadsOf(key: MatchKey, likely: number): Leads;
  crowds: readonly Crowd[];
}

export function indexByKey(declared: readonly Declared[]): KeyIndex {
  const byKey = new Map<MatchKey, number>();
  const codesByKey = new Map<MatchKey, number[]>();
  for (const [index, { keys }] of declared.entries()) {
    for (const [place, key] of keys.entries()) {
      const code = index * KEYS + place;
      const first = byKey.get(key);
      if (first === undefined) byKey.set(key, code);
      else if (!codesByKey.get(key)?.push(code)) codesByKey.set(key, [first, code]);
    }
  }
  const isShared = new Uint8Array(declared.length * KEYS);
  const shared = new Map<MatchKey, Leads>();
  for (const [key, codes] of codesByKey) {
    for (const code of codes) isShared[code] = 1;
    shared.set(key, leadsTo(codes, declared, levelOf(key) === FULL_ID ? MAX_TWINS : 1));
  }
  const only = { codes: [0], crowd: undefined }; // reused by each call
  const onlyTo = (code: number): Leads => {
    only.codes[0] = code;
    return only;
  };
  return {
    crowds: Array.from(shared.values(), ({ crowd }) => crowd).filter((crowd) => crowd !== undefined),
    leadsOf(key, likely) {
      const own = declared[likely]?.keys.indexOf(key) ?? -1;
      if (own !== -1 && isShared[likely * KEYS + own] === 0) return onlyTo(likely * KEYS + own);
      const code = byKey.get(key);
      if (code === undefined) return NOBODY;
      const sharing = isShared[code] === 1 ? shared.get(key) : undefined;
      return sharing ?? onlyTo(code);
    },
  };
}

/** @param most how many resources of a source may have the key */
function leadsTo(all: readonly number[], declared: readonly Declared[], most: number): Leads {
  const codes = withoutRivals(all, declared, most);
  if (codes.length === all.length) return { codes, crowd: undefined };
  const leads = new Set(codes);
  const others = all.filter((code) => !leads.has(code));
  return { codes, crowd: new Crowd(others.map((code) => Math.floor(code / KEYS))) };
}

function withoutRivals(codes: readonly number[], declared: readonly Declared[], most: number): number[] {
  const rivals = Map.groupBy(codes, (code) => {
    const one = declared[Math.floor(code / KEYS)];
    return `${one?.sourceId} ${one?.region ?? ""}`;
  });
  return [...rivals.values()].flatMap((sharing) => distinguished(sharing, declared, most));
}

/**
 * Returns the resources of a source that a key identifies. An inline copy is no rival of the standalone declaration,
 * and comes after it.
 */
function distinguished(
  codes: readonly number[],
  declared: readonly Declared[],
  most: number,
): readonly number[] {
  const { inline = [], standalone = [] } = Object.groupBy(codes, (code) =>
    declared[Math.floor(code / KEYS)]?.inline === true ? "inline" : "standalone",
  );
  if (standalone.length > most) return [];
  return inline.length === 1 ? [...standalone, ...inline] : standalone;
}

export function levelOf(key: MatchKey): number {
  return key.charCodeAt(0) - 48; // its first digit
}
