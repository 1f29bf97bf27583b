import type { FixInput } from "@leeway/shared/contracts/analyzer/noise";
import type { OrgStatements } from "@leeway/shared/database/database";

import { getNoise, placesOf } from "./store.ts";
import type { PlanReader } from "../plan-reader.ts";
import type { MadeFix } from "./make-fix.ts";

export interface StoredFixInput {
  fingerprint: string;
  /** Repository of the request. A fix is based on the noise in its projects, if they have any. */
  repository?: string | undefined;
  /** Limits the fix to that repository's projects. */
  isAlone?: boolean;
  /** Code, as the JSON of a `FixInput`'s `source`. */
  sources: string;
  strategy: NonNullable<FixInput["strategy"]>;
}

/**
 * Proposes a fix for noise in an organization's plans; undefined if there is no such noise.
 * @throws {AppError} as `PlanReader.fix`
 */
export async function proposeStoredFix(
  sql: OrgStatements,
  reader: PlanReader,
  { fingerprint, repository, isAlone = false, sources, strategy }: StoredFixInput,
): Promise<MadeFix | undefined> {
  const known = await getNoise(sql, fingerprint);
  if (!known) return undefined;
  const places = await placesOf(sql, fingerprint, { repository, isAlone });
  const { addresses, keys } = places[0] ?? { addresses: [], keys: [] };
  const noise = { ...known, addresses, keys, count: addresses.length, hidden: true, fix_available: true };
  return reader.fix(sql.orgId, { noise, places: [...places], sources, strategy });
}
