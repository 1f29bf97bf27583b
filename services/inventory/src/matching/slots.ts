import type { Declared } from "./matcher.ts";

/** A live resource and a source: of each combination there is one pair, or one for each that has the same full id. */
export interface Slots {
  /** Number of the source of a declared one, at its place. */
  sourceOf(declared: number): number;
  slotAt(live: number, source: number): number;
}

export function slotsOf(declared: readonly Declared[]): Slots {
  const sources = new Map<string, number>();
  for (const { sourceId } of declared) if (!sources.has(sourceId)) sources.set(sourceId, sources.size);
  return {
    sourceOf: (one) => sources.get(declared[one]?.sourceId ?? "") ?? 0,
    slotAt: (live, source) => live * sources.size + source,
  };
}
