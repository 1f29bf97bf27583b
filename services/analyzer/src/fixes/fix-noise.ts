import { call } from "@leeway/shared/bus/request";
import type { Input } from "@leeway/shared/contract";
import type { Submitted } from "@leeway/shared/contracts/analyzer/jobs";
import { MOST_FIX_SOURCES, type FixNoise } from "@leeway/shared/contracts/analyzer/noise";
import { ReserveSlot } from "@leeway/shared/contracts/quota/slots";
import type { BusConnection } from "@leeway/shared/bus/connection";
import type { Database } from "@leeway/shared/database/database";
import { AppError, invalidParameter } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/keyring";
import type { Logger } from "@leeway/shared/log";

import { sealInput } from "../jobs/input.ts";
import type { Outbox } from "../jobs/outbox.ts";
import { storeJobs } from "../jobs/store/jobs.ts";
import { releaseSlot } from "../narratives/ask-model.ts";
import { claimFix, getNoise } from "../noise/store.ts";

interface FixDependencies {
  database: Database;
  bus: BusConnection;
  ring: KeyRing;
  outbox: Outbox;
  log: Logger;
}

/**
 * Has a fix for a kind of noise made.
 * @throws {AppError} `invalid_parameter` for too much code; `not_found`; `conflict` with the `job_id` that is at it already
 */
export async function fixNoise(deps: FixDependencies, input: Input<typeof FixNoise>): Promise<Submitted> {
  const { fingerprint, source = [], strategy = "auto", open_change_request: wantsRequest = false } = input;
  if (wantsRequest)
    throw invalidParameter("open_change_request", "isn't possible: apply the patches yourself");
  const { database, bus, ring, outbox } = deps;
  const sources = JSON.stringify(source);
  if (Buffer.byteLength(sources) > MOST_FIX_SOURCES.jsonBytes)
    throw invalidParameter(
      "source",
      `is larger than ${MOST_FIX_SOURCES.jsonBytes} bytes of JSON`,
      "too_large",
    );
  const orgId = input.org_id.toLowerCase();
  if (!(await getNoise(database.org(orgId), fingerprint))) throw noSuchNoise();
  const id = Bun.randomUUIDv7();
  const reserved = await call(bus, ReserveSlot, { org_id: orgId, job_id: id });
  if (!reserved.granted) return { accepted: false, denial: reserved };
  try {
    const sealed = sealInput(ring, orgId, id, sources);
    const claimed = await database.transaction(orgId, async (tx) => {
      const job = await claimFix(tx, fingerprint, id);
      const subject = { kind: "plan_noise_fix" as const, fingerprint, strategy };
      if (job === id) await storeJobs(tx, [{ id, subject, input: sealed }]);
      return job;
    });
    if (claimed === undefined) throw noSuchNoise();
    if (claimed !== id)
      throw new AppError("conflict", "a fix is being made already", { fields: { job_id: claimed } });
  } catch (error) {
    await releaseSlot(deps, { orgId, id });
    throw error;
  }
  outbox.offer(orgId, id);
  const created_at = new Date().toISOString();
  return {
    accepted: true,
    job_id: id,
    kind: "plan_noise_fix",
    status: "queued",
    created_at,
    grant: reserved,
  };
}

function noSuchNoise(): AppError {
  return new AppError("not_found", "there is no such noise");
}
