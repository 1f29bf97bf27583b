import type { ListingFormat } from "../cloud.ts";

/**
 * Types that a listing covers completely: all types, types ever listed for the account, or only types in this listing.
 */
export type SightScope = "all" | "known" | "shown";

/** Properties of a listing that determine its scope. */
interface Listed {
  formats: readonly ListingFormat[];
  /** Whether a list of one type contains several types, in a format where such a list is complete. */
  isMixed: boolean;
  /**
   * Whether all its resources have types that clouds list separately from
   * the others, such as DNS records and IAM grants.
   */
  isOfParts: boolean;
}

/** Returns the scope that a listing covers completely. */
export function scopeOf({ formats, isMixed, isOfParts }: Listed): SightScope {
  const isOfSome =
    !isMixed && formats.every(({ pageType, someTypes }) => someTypes ?? pageType !== undefined);
  if (formats.length === 0 || !isOfSome) return isOfParts ? "shown" : "all";
  return formats.some(({ someTypes }) => someTypes) ? "known" : "shown";
}
