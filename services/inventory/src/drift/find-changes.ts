import { gcp } from "@leeway/clouds/gcp/gcp";
import { lengthOfPairs } from "@leeway/drift/changes/pair";
import type { PlannedDrift } from "@leeway/drift/changes/plan-findings";
import type { GrantOptions } from "@leeway/drift/changes/undeclared-grants";
import { undeclaredResources } from "@leeway/drift/changes/undeclared-resources";
import type { DriftOptions } from "@leeway/drift/drift-of";
import type { Transaction } from "@leeway/shared/database/database";

import { disabledRules } from "../matching/store/exclusions.ts";
import { driftReaders } from "../readers.ts";
import { addFound, addMissing, beginFinding } from "./store/found.ts";
import { areGrantsKnown } from "./store/grants.ts";
import { comparisonSeed } from "./comparison-seed.ts";
import { addSightings, gatherPairs, keepCompared, pairsOf } from "./store/pairs.ts";
import { gatherParts } from "./store/parts.ts";
import { gatherPlanned, plannedChanges, plannedDrift } from "./store/planned.ts";
import { undeclaredOf } from "./store/undeclared.ts";

/** Number of refreshes that one task judges. */
const REFRESHES_A_BATCH = 250;

/**
 * Options for judging an account's changes, and the lookup of whether its declared grants are known, which runs once.
 */
interface Judging {
  options: GrantOptions;
  areKnown: () => Promise<boolean>;
}

/**
 * Adds all differences between an account and its code to `drift_found`, in batches.
 * @throws {AppError} `too_slow_to_read` if the comparison of a batch takes longer than its size allows
 */
export async function findChanges(
  tx: Transaction,
  accountId: string,
  judgement: DriftOptions,
): Promise<void> {
  await beginFinding(tx);
  await gatherPlanned(tx, accountId);
  await gatherParts(tx, accountId);
  let known: Promise<boolean> | undefined;
  const judging: Judging = {
    options: { ...judgement, accountId, disabledRules: await disabledRules(tx) },
    areKnown: () => (known ??= areGrantsKnown(tx)),
  };
  const gone = await addPairs(tx, judging);
  await addPending(tx, accountId);
  await addMissing(tx, accountId, gone);
  await addUndeclared(tx, judging);
}

/**
 * Adds the differences in pairs, then the findings that only plans have. @returns ids of declared parts that are gone
 */
async function addPairs(tx: Transaction, { options, areKnown }: Judging): Promise<string[]> {
  const { orgId } = tx;
  const planned = (await Array.fromAsync(plannedDrift(tx))).flat();
  const byDeclared = new Map(planned.map((one) => [one.declared?.id, one]));
  const left = new Set(planned);
  const gone: string[] = [];
  const differing: string[] = [];
  await gatherPairs(tx, options.accountId, await comparisonSeed(options.disabledRules));
  for await (const pairs of pairsOf(tx)) {
    const plans = pairs.map(({ declared }) => byDeclared.get(declared.id)).filter((one) => one !== undefined);
    const piece = { orgId, bytes: lengthOfPairs(pairs) + lengthOf(plans) };
    const compared = await driftReaders.do(piece, "comparePairs", [pairs, plans, options]);
    await addFound(tx, compared.found);
    await addSightings(tx, compared.seen);
    if (compared.granted.length > 0 && (await areKnown())) await addFound(tx, compared.granted);
    gone.push(...compared.gone);
    differing.push(...compared.differing);
    const isLeft = new Set<string | undefined>(compared.left);
    for (const one of plans) if (!isLeft.has(one.declared?.id)) left.delete(one);
  }
  await keepCompared(tx, options.accountId, differing);
  const rest = [...left];
  for (let start = 0; start < rest.length; start += REFRESHES_A_BATCH) {
    const batch = rest.slice(start, start + REFRESHES_A_BATCH);
    const piece = { orgId, bytes: lengthOf(batch) };
    await addFound(tx, await driftReaders.do(piece, "judgeRefreshes", [batch, options]));
  }
  return gone;
}

async function addPending(tx: Transaction, accountId: string): Promise<void> {
  for await (const changes of plannedChanges(tx)) {
    const piece = { orgId: tx.orgId, bytes: lengthOf(changes) };
    await addFound(tx, await driftReaders.do(piece, "judgePending", [changes, accountId]));
  }
}

async function addUndeclared(tx: Transaction, { options, areKnown }: Judging): Promise<void> {
  for await (const rows of undeclaredOf(tx, options.accountId)) {
    const isGoogle = rows.some(({ provider }) => provider === gcp.provider);
    const areGrantsKnownHere = isGoogle && (await areKnown());
    const found = await undeclaredResources(
      rows,
      { ...options, areGrantsKnown: areGrantsKnownHere },
      (unknown, how) => {
        const bytes = unknown.reduce((sum, { properties = "" }) => sum + properties.length, 0);
        return driftReaders.do({ orgId: tx.orgId, bytes }, "judgeUndeclared", [unknown, how]);
      },
    );
    await addFound(tx, found);
  }
}

function lengthOf(planned: readonly Pick<PlannedDrift, "content">[]): number {
  return planned.reduce((sum, { content }) => sum + content.length, 0);
}
