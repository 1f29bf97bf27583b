import type { Scan } from "@leeway/shared/contracts/inventory/scans";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { counter } from "@leeway/shared/platform/telemetry/metrics";
import type { JsonObject } from "@leeway/shared/values/json";
import type { Platform } from "@leeway/shared/service/service";
import { ConnectorError, type Connector, type ShardFailure } from "@leeway/connectors/connector";
import { createTroubles, type Troubles } from "@leeway/connectors/read-troubles";

import { pendingSnapshots } from "../../drift/store/snapshots.ts";
import { awaitDrift } from "../../matching/rematch.ts";
import { lockMatching } from "../../matching/store/matches.ts";
import { redactRead } from "../../readers.ts";
import { addErrors, awaitedDrift } from "../store/work.ts";
import type { Listing } from "./list-shard.ts";
import { bounded } from "./shard-outcomes.ts";
import { declaredLive, keepRead, type DeclaredLive, type ReadResource } from "./store/declared-live.ts";

const READS_AT_ONCE = 8;
/** Time limit. The next scan begins with the resources that are left. */
const MAX_MS = 20 * 60_000;
const MAX_READ = 50_000;
const A_BATCH = 50;
const BEAT_MS = 2_000;

const reads = counter("scan_reads_total", "Declared resources that scans read individually", [
  "provider",
  "outcome",
]);

/**
 * Reads the properties of an account's declared resources, for a cloud whose listings lack properties: without them,
 * changes would go unnoticed. Resources that can't be read keep their earlier properties and are reported in the
 * scan's errors. Never fails. Ends early if `stopping` is aborted, or the scan is gone with its account.
 */
export async function readProperties(
  deps: Platform,
  { sql, account, connector }: Pick<Listing, "sql" | "account" | "connector">,
  scan: Scan,
  stopping: AbortSignal,
): Promise<void> {
  if (!connector.enrich || scan.drift_snapshot_id === undefined) return;
  const hold = holdOn(sql, scan.id);
  const signal = AbortSignal.any([stopping, hold.signal, AbortSignal.timeout(MAX_MS)]);
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
    deps.log.warn({ error, account_id: account.id }, "couldn't read all declared resources");
  } finally {
    hold.release();
  }
}

/** Sends heartbeats. A scan in its last phase without them goes to another process. */
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

/** Reads resources until the time is over. */
async function readAll(
  { database }: Platform,
  { sql, account, connector, troubles, keep }: Reading,
  signal: AbortSignal,
): Promise<void> {
  const query = { orgId: sql.orgId, accountId: account.id, atMost: MAX_READ };
  const left = (await declaredLive(database, query)).values();
  const work = async (): Promise<void> => {
    for (const resource of left) {
      if (signal.aborted) return;
      if (troubles.isHopeless(resource)) continue;
      const read = await readOne(
        connector,
        resource,
        { troubles, orgId: sql.orgId, provider: account.provider },
        signal,
      );
      if (read) await keep.add(read);
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: READS_AT_ONCE }, work));
  for (const worker of workers) if (worker.status === "rejected" && !signal.aborted) throw worker.reason;
}

/** Requests drift again if the snapshot was computed during the reads, for example because a state was pushed. */
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
  { troubles, orgId, provider }: { troubles: Troubles; orgId: string; provider: string },
  signal: AbortSignal,
): Promise<ReadResource | undefined> {
  const found = await askRedacted(connector, resource, { orgId, provider }, signal);
  reads.inc({ provider, outcome: "code" in found ? found.code : found.outcome });
  if ("code" in found) {
    troubles.note(resource, found);
    return undefined;
  }
  troubles.clear(resource);
  if (found.outcome !== "enriched") return undefined;
  return { resource, properties: found.properties };
}

type Asked<P> = ShardFailure | { outcome: "enriched"; properties: P } | { outcome: "gone" };

/** Reads a resource and masks secrets. Properties that take too long to mask are a failure of that resource. */
async function askRedacted(
  connector: Connector,
  resource: DeclaredLive,
  { orgId, provider }: { orgId: string; provider: string },
  signal: AbortSignal,
): Promise<Asked<ReadResource["properties"]>> {
  const found = await ask(connector, resource, signal);
  if (!("properties" in found)) return found;
  const typed = { provider_type: resource.type };
  try {
    return { outcome: "enriched", properties: await redactRead(orgId, found.properties, typed, provider) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "too_slow_to_read") throw error;
    return { code: "internal", message: error.message };
  }
}

/** Reads a resource. Its deletion since the listing isn't a failure. */
async function ask(
  { enrich }: Connector,
  { providerId, type, region }: DeclaredLive,
  signal: AbortSignal,
): Promise<Asked<JsonObject>> {
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

/** Stores resources in batches, each with one statement. */
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
