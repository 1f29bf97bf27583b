import type { Declared } from "./model.ts";

/** Numbers for combinations of a live resource and a source. Each has one pair, or several with the same full id. */
export interface Slots {
  /** Returns the number of a declared resource's source, by the resource's place. */
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
