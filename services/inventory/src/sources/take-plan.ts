import type { PlanChange } from "@leeway/drift/reading/plan-lines";
import type { Bodies } from "@leeway/shared/bus/bodies";
import type { Input, Output } from "@leeway/shared/contracts/contract";
import type { Repository } from "@leeway/shared/contracts/common";
import type { ReportPlan } from "@leeway/shared/contracts/inventory/plans";
import type { Transaction } from "@leeway/shared/database/database";
import { sha256 } from "@leeway/shared/values/digest";
import type { Platform } from "@leeway/shared/service/service";

import { changeMatching } from "../matching/change-matching.ts";
import { awaitDrift } from "../matching/rematch.ts";
import { readers } from "../readers.ts";
import { bindToPlan, sourceOfPlan } from "./binding.ts";
import { sourcesNamed } from "./store/bindings.ts";
import { holdPlanned, notePlan, plannedAccounts, replacePlanned, type PlannedSource } from "./store/plans.ts";

/**
 * Stores a plan's changes for a source, and requests the drift of the accounts that they concern.
 * @throws {AppError} `repository_mismatch`
 */
export async function takePlan(
  { bodies, ...platform }: Platform & { bodies: Bodies },
  { org_id, source_names, repository, planned_at, body }: Input<typeof ReportPlan>,
): Promise<Output<typeof ReportPlan>> {
  let taken: string | undefined;
  try {
    const bytes = await new Response(await bodies.open(body.ref)).bytes();
    await changeMatching(platform, org_id, async (tx) => {
      const source = await plannedSource(tx, source_names, repository);
      if (!source || (source.knownSince && source.knownSince > new Date(planned_at))) return;
      taken = source.id;
      const hash = sha256(bytes);
      await notePlan(tx, source.id, { plannedAt: planned_at, hash });
      if (!source.hash?.equals(hash))
        await changePlanned(
          tx,
          source.id,
          await readers.do({ orgId: org_id, bytes: bytes.length }, "readPlanLines", [bytes]),
        );
      else await awaitDrift(tx, await plannedAccounts(tx, source.id, source.knownSince));
    });
  } finally {
    await bodies.delete(body.ref);
  }
  return taken === undefined ? {} : { source_id: taken };
}

/** Binds the plan's source to the plan's repository, and locks it. @throws {AppError} `repository_mismatch` */
async function plannedSource(
  tx: Transaction,
  names: readonly string[],
  repository: Repository | undefined,
): Promise<PlannedSource | undefined> {
  const source = sourceOfPlan(await sourcesNamed(tx, names, { held: true }), repository);
  if (source && repository) await bindToPlan(tx, source, repository);
  return source && holdPlanned(tx, source.id);
}

async function changePlanned(
  tx: Transaction,
  sourceId: string,
  changes: readonly PlanChange[],
): Promise<void> {
  const before = await plannedAccounts(tx, sourceId);
  await replacePlanned(tx, sourceId, changes);
  await awaitDrift(tx, [...new Set([...before, ...(await plannedAccounts(tx, sourceId))])]);
}
