import type { Input } from "@leeway/shared/contracts/contract";
import type { ChangeNoise, PlanNoise } from "@leeway/shared/contracts/analyzer/noise";
import type { Database } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/values/errors";

import { audit } from "../audit.ts";
import { unmuteInRepositories } from "./repository-mutes.ts";
import { getNoise, muteNoise, unmuteNoise } from "./store.ts";

/**
 * Mutes noise, or unmutes it everywhere, including repositories in which comments have muted it. A mute without an
 * end has no limit. Members that aren't given stay unchanged.
 * @throws {AppError} `not_found`; `invalid_parameter` for an end in the past, or together with `active`
 */
export async function changeNoise(
  database: Database,
  { org_id: orgId, fingerprint, status, until, reason }: Input<typeof ChangeNoise>,
): Promise<PlanNoise> {
  const end = until === undefined ? undefined : new Date(until);
  if (end && end.getTime() <= Date.now()) throw invalidParameter("until", "must be in the future");
  if (status === "active" && end) throw invalidParameter("until", "requires status muted");
  return database.transaction(orgId, async (tx) => {
    const found =
      status === "muted"
        ? await muteNoise(tx, fingerprint, { until: end, reason })
        : await unmuteNoise(tx, fingerprint, reason);
    if (status === "active") await unmuteInRepositories(tx, fingerprint);
    const noise = found ? await getNoise(tx, fingerprint) : undefined;
    if (!noise) throw new AppError("not_found", "no plan noise has this fingerprint");
    const { muted_reason, muted_until } = noise;
    const details = { status: noise.status, muted_reason, muted_until };
    await audit(tx, { action: "plan_noise.update", targetId: fingerprint, details });
    return noise;
  });
}
