import type { MatchKey } from "../cloud.ts";

/** A declared resource that can be in the account whose live resources are matched. */
export interface Declared {
  id: string;
  sourceId: string;
  /** Undefined if its identifiers contain none. */
  region: string | undefined;
  /** The most reliable first, at most 31. */
  keys: readonly MatchKey[];
  /** Held inside another declared resource. Standalone declarations take precedence over it. */
  inline: boolean;
  /** It names no account, and another account has a live resource that matches it. */
  contested: boolean;
}

/** The fields of a live resource that matching uses. */
export interface Live {
  id: string;
  region: string | undefined;
  keys: readonly MatchKey[];
}

/** A live resource and its declaration. */
export interface Pair {
  liveId: string;
  declared: Declared;
  /** Level of the key that both have, 1 to 4. */
  level: number;
}
