import type { MatchKey } from "../clouds/cloud.ts";
import { Crowd } from "./crowd.ts";
import type { Declared } from "./matcher.ts";

/** Keys a declared resource has at most: one of them is a number, the resource's place times this, and its own. */
export const KEYS = 32;
/** The level of full ids, such as ARNs, that nothing else can have. */
export const FULL_ID = 2;
/** At more addresses of a source nobody declares the same in earnest. */
const MOST_TWINS = 16;

/** Whom a key leads to. */
interface Leads {
  /** Numbers of their keys. */
  codes: readonly number[];
  /** Those that have it as well, but with too many of their source. */
  crowd: Crowd | undefined;
}

const NOBODY: Leads = { codes: [], crowd: undefined };

export interface KeyIndex {
  /**
   * Whom a key leads to, until the next question. Two of a source with one key in one region make it useless for both,
   * unless it is a full id.
   * @param likely place of a declared one that may have it: to compare is faster than to look up
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
    shared.set(key, leadsTo(codes, declared, levelOf(key) === FULL_ID ? MOST_TWINS : 1));
  }
  const only = { codes: [0], crowd: undefined }; // one for all: nobody keeps it
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

/** @param most how many of a source may have the key */
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
