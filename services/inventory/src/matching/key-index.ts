import type { MatchKey } from "../clouds/cloud.ts";
import type { Declared } from "./matcher.ts";

/** Keys a declared resource has at most: one of them is a number, the resource's place times this, and its own. */
export const KEYS = 32;
/** The level of full ids, such as ARNs, that nothing else can have. */
export const FULL_ID = 2;
/** At more addresses of a source nobody declares the same in earnest. */
const MOST_TWINS = 16;

const NONE: readonly number[] = [];

export interface KeyIndex {
  /**
   * Whom a key leads to, as numbers of their keys, until the next question. Two of a source with one key in one region
   * make it useless for both, unless it is a full id.
   */
  codesOf(key: MatchKey): readonly number[];
  /** The same for a key that only this declared resource has: to compare is faster than to look up. */
  ownCode(declared: number, key: MatchKey): readonly number[] | undefined;
}

export function indexByKey(declared: readonly Declared[]): KeyIndex {
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
  const isShared = new Uint8Array(declared.length * KEYS);
  for (const [key, codes] of shared) {
    for (const code of codes) isShared[code] = 1;
    shared.set(key, withoutRivals(codes, declared, levelOf(key) === FULL_ID ? MOST_TWINS : 1));
  }
  const only = [0]; // one array for all: nobody keeps it
  return {
    codesOf(key) {
      const code = byKey.get(key);
      if (code === undefined) return NONE;
      const sharing = isShared[code] === 1 ? shared.get(key) : undefined;
      if (sharing) return sharing;
      only[0] = code;
      return only;
    },
    ownCode(one, key) {
      const place = declared[one]?.keys.indexOf(key) ?? -1;
      const code = one * KEYS + place;
      if (place === -1 || isShared[code] === 1) return undefined;
      only[0] = code;
      return only;
    },
  };
}

/** @param most how many of a source may have the key */
function withoutRivals(codes: readonly number[], declared: readonly Declared[], most: number): number[] {
  const rivals = Map.groupBy(codes, (code) => {
    const one = declared[Math.floor(code / KEYS)];
    return `${one?.sourceId} ${one?.region ?? ""}`;
  });
  return [...rivals.values()].flatMap((sharing) => distinguished(sharing, declared, most));
}

/** A copy that another resource holds inline is no rival of the standalone declaration: it comes after it. */
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
  return key.charCodeAt(0) - 48; // the digit that it begins with
}
