import type { Scan } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements } from "@leeway/shared/database/database";
import { counter } from "@leeway/shared/telemetry/metrics";
import type { JsonObject } from "@leeway/shared/json";
import type { Platform } from "@leeway/shared/service";

import { cloudOf } from "../../clouds/clouds.ts";
import { ConnectorError, type Connector, type ShardFailure } from "../../connectors/connector.ts";
import { pendingSnapshots } from "../../drift/store/snapshots.ts";
import { redactProperties } from "../../listings/redact-properties.ts";
import { awaitDrift } from "../../matching/rematch.ts";
import { lockMatching } from "../../matching/store/matches.ts";
import { addErrors, awaitedDrift } from "../store/work.ts";
import type { Listing } from "./list-shard.ts";
import { bounded } from "./shard-outcomes.ts";
import { createTroubles, type Troubles } from "./read-troubles.ts";
import { declaredLive, keepRead, type DeclaredLive, type ReadResource } from "./store/declared-live.ts";

const READS_AT_ONCE = 8;
/** What is left then is the first that the next scan reads. */
const MOST_MS = 20 * 60_000;
const MOST_READ = 50_000;
const A_BATCH = 50;
const BEAT_MS = 2_000;

const reads = counter("scan_reads_total", "Declared resources that scans read one by one", [
  "provider",
  "outcome",
]);

/**
 * Reads the properties of what is declared in an account, of a cloud whose listings tell only that it is there: else
 * nobody would see what changed in it. What can't be read keeps what was known of it, and is told in the scan's errors.
 * Never fails, and ends early once `stopping` is aborted or the scan is gone, as with its account.
 */
export async function readProperties(
  deps: Platform,
  { sql, account, connector }: Pick<Listing, "sql" | "account" | "connector">,
  scan: Scan,
  stopping: AbortSignal,
): Promise<void> {
  if (!connector.enrich || scan.drift_snapshot_id === undefined) return;
  const hold = holdOn(sql, scan.id);
  const signal = AbortSignal.any([stopping, hold.signal, AbortSignal.timeout(MOST_MS)]);
  const troubles = createTroubles();
  const keep = batches((read) => keepRead(sql, read));
  try {
    try {
      await readAll(deps, { sql, account, connector, troubles, keep }, signal);
    } finally {
      await keep.flush();
    }
    await addErrors(sql, scan.id, bounded(troubles.errors()));
    if (keep.isAnyKept()) await haveCompared(deps, account.id, { sql, snapshotId: scan.drift_snapshot_id });
  } catch (error) {
    deps.log.warn({ error, account_id: account.id }, "not all that is declared could be read");
  } finally {
    hold.release();
  }
}

/** Signs of life: a scan in its last phase goes to whoever finds that nobody works on it. */
function holdOn(sql: OrgStatements, scanId: string): { signal: AbortSignal; release(): void } {
  const gone = new AbortController();
  const timer = setInterval(() => {
    void awaitedDrift(sql, scanId)
      .then((accountId) => accountId ?? gone.abort())
      .catch(() => undefined);
  }, BEAT_MS);
  return { signal: gone.signal, release: () => clearInterval(timer) };
}

interface Reading extends Pick<Listing, "sql" | "account" | "connector"> {
  troubles: Troubles;
  keep: ReturnType<typeof batches>;
}

/** As far as time allows. */
async function readAll(
  { database }: Platform,
  { sql, account, connector, troubles, keep }: Reading,
  signal: AbortSignal,
): Promise<void> {
  const wished = { orgId: sql.orgId, accountId: account.id, atMost: MOST_READ };
  const left = (await declaredLive(database, wished)).values();
  const work = async (): Promise<void> => {
    for (const resource of left) {
      if (signal.aborted) return;
      if (troubles.isHopeless(resource)) continue;
      const read = await readOne(connector, resource, { troubles, provider: account.provider }, signal);
      if (read) await keep.add(read);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: READS_AT_ONCE }, work));
  for (const worker of workers) if (worker.status === "rejected" && !signal.aborted) throw worker.reason;
}

/** Has drift computed once more where that was done meanwhile, as for a state that came in. */
async function haveCompared(
  { database }: Platform,
  accountId: string,
  { sql, snapshotId }: { sql: OrgStatements; snapshotId: string },
): Promise<void> {
  await database.transaction(sql.orgId, async (tx) => {
    await lockMatching(tx);
    if (!(await pendingSnapshots(tx, accountId)).includes(snapshotId)) await awaitDrift(tx, [accountId]);
  });
}

async function readOne(
  connector: Connector,
  resource: DeclaredLive,
  { troubles, provider }: { troubles: Troubles; provider: string },
  signal: AbortSignal,
): Promise<ReadResource | undefined> {
  const found = await ask(connector, resource, signal);
  reads.inc({ provider, outcome: "code" in found ? found.code : found.outcome });
  if ("code" in found) {
    troubles.note(resource, found);
    return undefined;
  }
  troubles.clear(resource);
  if (found.outcome !== "enriched") return undefined;
  const { type } = resource;
  return {
    resource,
    properties: redactProperties(found.properties, { provider_type: type }, cloudOf(provider)),
  };
}

type Asked = ShardFailure | { outcome: "enriched"; properties: JsonObject } | { outcome: "gone" };

/** A resource that has gone since it was listed is no failure. */
async function ask(
  { enrich }: Connector,
  { providerId, type, region }: DeclaredLive,
  signal: AbortSignal,
): Promise<Asked> {
  try {
    const resource = { providerId, type, ...(region !== undefined && { region }) };
    const found = await enrich?.(resource, signal, Infinity);
    if (found?.outcome === "enriched") return found;
    if (found === undefined || found.reason === "not_found") return { outcome: "gone" };
    return { code: found.reason, message: found.message };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectorError) return error.failure;
    throw error;
  }
}

/** Keeps many with one statement. */
function batches(keep: (read: readonly ReadResource[]) => Promise<void>) {
  let waiting: ReadResource[] = [];
  let kept = 0;
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    await keep(batch);
    kept += batch.length;
  };
  return {
    flush,
    isAnyKept: () => kept > 0,
    async add(read: ReadResource): Promise<void> {
      waiting.push(read);
      if (waiting.length >= A_BATCH) await flush();
    },
  };
}
