import type { JsonObject } from "@leeway/shared/values/json";
import { oncePer } from "@leeway/shared/values/once";

/** A live resource, and the declared resource that matches it or is a part of it. Both have known attributes. */
export interface StoredPair {
  live: {
    id: string;
    providerType: string;
    providerResourceId: string;
    /** When its properties were fetched; undefined if they come from the account's listing. */
    enrichedAt: Date | undefined;
    /** JSON. */
    tags: string | undefined;
    /** JSON. */
    properties: string;
    /** Attributes that it showed at earlier comparisons; see `Sightings`. */
    seen?: string | undefined;
  };
  declared: StoredDeclared;
  isPart: boolean;
  parts: readonly StoredDeclared[];
}

/** A resource in a state. */
export interface StoredDeclared {
  id: string;
  sourceId: string;
  type: string;
  address: string;
  moduleAddress: string | undefined;
  providerName: string | undefined;
  /** JSON. */
  attributes: string;
  /** Whether it matches a live resource of its own. */
  isListed: boolean;
}

/** Returns the number of characters of pairs. A text that several pairs share counts once. */
export function lengthOfPairs(pairs: readonly StoredPair[]): number {
  const texts = new Map<object, string>();
  for (const { live, declared, parts } of pairs) {
    texts.set(live, live.properties);
    for (const one of [declared, ...parts]) texts.set(one, one.attributes);
  }
  return texts.values().reduce((sum, { length }) => sum + length, 0);
}

/** A live resource, and the declared resource that matches it or is a part of it. Both have parsed attributes. */
export interface Pair {
  live: Omit<StoredPair["live"], "tags" | "properties"> & {
    tags: Record<string, string> | undefined;
    properties: JsonObject;
  };
  declared: Declared;
  /** Whether the declared resource is only a part of the live one. */
  isPart: boolean;
  /** All declared parts of the live resource. */
  parts: readonly Declared[];
}

/** A resource as a state declares it. */
export interface Declared extends Omit<StoredDeclared, "attributes"> {
  attributes: JsonObject;
}

/** Parses pairs. A resource that several pairs share is parsed once. */
export function openPairs(pairs: readonly StoredPair[]): Pair[] {
  const declared = oncePer(openDeclared);
  const live = oncePer(openLive);
  return pairs.map((pair) => ({
    live: live(pair.live),
    declared: declared(pair.declared),
    isPart: pair.isPart,
    parts: pair.parts.map(declared),
  }));
}

export function openDeclared(stored: StoredDeclared): Declared {
  return { ...stored, attributes: JSON.parse(stored.attributes) };
}

function openLive(stored: StoredPair["live"]): Pair["live"] {
  const { tags, properties } = stored;
  return {
    ...stored,
    tags: tags === undefined ? undefined : JSON.parse(tags),
    properties: JSON.parse(properties),
  };
}
