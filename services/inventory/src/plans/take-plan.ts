import type { Bodies } from "@leeway/shared/bus/bodies";
import type { Input, Output } from "@leeway/shared/contract";
import { PlanLine, type ReportPlan } from "@leeway/shared/contracts/inventory/plans";
import type { Transaction } from "@leeway/shared/database/database";
import { decode } from "@leeway/shared/decode";
import { sha256 } from "@leeway/shared/digest";
import { createGiveWay } from "@leeway/shared/fairness/give-way";
import { text } from "@leeway/shared/json";
import type { Platform } from "@leeway/shared/service";

import { changeMatching } from "../matching/change-matching.ts";
import { awaitDrift } from "../matching/rematch.ts";
import { holdPlanned, notePlan, plannedAccounts, replacePlanned, type PlanChange } from "./store.ts";

/** Takes what a plan says of a source, and has the drift computed of the accounts that it concerns. */
export async function takePlan(
  { bodies, ...platform }: Platform & { bodies: Bodies },
  { org_id, source_names, planned_at, body }: Input<typeof ReportPlan>,
): Promise<Output<typeof ReportPlan>> {
  let taken: string | undefined;
  try {
    const bytes = await new Response(await bodies.open(body.ref)).bytes();
    await changeMatching(platform, org_id, async (tx) => {
      const source = await holdPlanned(tx, source_names);
      if (!source || (source.knownSince && source.knownSince > new Date(planned_at))) return;
      taken = source.id;
      const hash = sha256(bytes);
      await notePlan(tx, source.id, { plannedAt: planned_at, hash });
      if (!source.hash?.equals(hash)) await changePlanned(tx, source.id, await changesIn(bytes));
      else await awaitDrift(tx, await plannedAccounts(tx, source.id, source.knownSince));
    });
  } finally {
    await bodies.delete(body.ref);
  }
  return taken === undefined ? {} : { source_id: taken };
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

async function changesIn(bytes: Uint8Array): Promise<PlanChange[]> {
  const giveWay = createGiveWay();
  const changes: PlanChange[] = [];
  for (const line of Buffer.from(bytes).toString("utf8").split("\n")) {
    if (line !== "") changes.push(changeOf(decode(PlanLine, JSON.parse(line))));
    await giveWay();
  }
  return changes;
}

function changeOf(line: PlanLine): PlanChange {
  if ("pending" in line) {
    return { kind: "pending", address: line.pending.address, content: JSON.stringify(line.pending) };
  }
  return {
    kind: "drift",
    address: text(line.drift, "address") ?? "",
    content: JSON.stringify(line.drift),
  };
}
