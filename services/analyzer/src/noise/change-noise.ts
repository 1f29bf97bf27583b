import type { Input } from "@leeway/shared/contract";
import type { ChangeNoise, PlanNoise } from "@leeway/shared/contracts/analyzer/noise";
import type { Database } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/errors";

import { getNoise, muteNoise, unmuteNoise } from "./store.ts";

/**
 * Mutes noise, until further notice where no end is given, or ends that; what isn't named stays as it is.
 * @throws {AppError} `not_found`; `invalid_parameter` for an end that is over, or of what isn't muted
 */
export async function changeNoise(
  database: Database,
  { org_id: orgId, fingerprint, status, until, reason }: Input<typeof ChangeNoise>,
): Promise<PlanNoise> {
  const sql = database.org(orgId);
  const end = until === undefined ? undefined : new Date(until);
  if (end && end.getTime() <= Date.now()) throw invalidParameter("until", "must be in the future");
  if (status === "active" && end) throw invalidParameter("until", "is only for what is muted");
  const found =
    status === "muted"
      ? await muteNoise(sql, fingerprint, { until: end, reason })
      : await unmuteNoise(sql, fingerprint, reason);
  const noise = found ? await getNoise(sql, fingerprint) : undefined;
  if (!noise) throw new AppError("not_found", "there is no such noise");
  return noise;
}
