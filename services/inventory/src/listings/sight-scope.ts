import type { ListingFormat } from "../clouds/cloud.ts";

/** The types of which a listing shows all: any, those that its account has ever shown, or those alone that it shows itself. */
export type SightScope = "all" | "known" | "shown";

/**
 * What a listing in these formats shows all of.
 * @param isOfParts it shows things, and only such as clouds list apart from all others: records of zones, who may do what
 */
export function scopeOf(formats: readonly ListingFormat[], isOfParts: boolean): SightScope {
  const isOfSome = formats.every(({ pageType, someTypes }) => someTypes ?? pageType !== undefined);
  if (formats.length === 0 || !isOfSome) return isOfParts ? "shown" : "all";
  return formats.some(({ someTypes }) => someTypes) ? "known" : "shown";
}
