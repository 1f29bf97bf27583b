import type { ListingEnd } from "@leeway/clouds/reading/listing-reading";

import type { Replaced } from "./take-over.ts";

/** A listing that was read, with the functions that store it. */
export interface TakenIn extends ListingEnd {
  /** Matches the listing again, after declarations have changed. */
  prepareAgain(): Promise<void>;
  /** Stores the listing. The caller has held `lockMatching` since it was prepared. */
  replace(): Promise<Replaced>;
}
