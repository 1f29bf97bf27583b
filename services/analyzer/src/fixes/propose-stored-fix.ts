import { proposeFix } from "@leeway/analysis/fix/propose-fix";
import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { FixWish } from "@leeway/shared/contracts/analyzer/noise";
import type { OrgStatements } from "@leeway/shared/database/database";

import { getNoise, placesOf } from "../noise/store.ts";

export interface StoredFixWish {
  fingerprint: string;
  /** Which one asks; a fix goes by what its projects have of the noise, if they have any. */
  repository?: string | undefined;
  sources: NonNullable<FixWish["source"]>;
  strategy: NonNullable<FixWish["strategy"]>;
}

/** A fix for noise that an organization's plans had; undefined when there is no such noise. */
export async function proposeStoredFix(
  sql: OrgStatements,
  { fingerprint, repository, sources, strategy }: StoredFixWish,
): Promise<FixResult | undefined> {
  const known = await getNoise(sql, fingerprint);
  if (!known) return undefined;
  const places = await placesOf(sql, fingerprint, repository);
  const { addresses, keys } = places[0] ?? { addresses: [], keys: [] };
  const noise = { ...known, addresses, keys, count: addresses.length, hidden: true, fix_available: true };
  return proposeFix({ noise, places, sources, strategy });
}
