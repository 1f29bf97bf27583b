import { CLOUDS, cloudOf, formatsOf } from "@leeway/clouds/clouds";
import { createPageReader } from "@leeway/clouds/listings/read-listing";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/values/errors";
import { counter, durations } from "@leeway/shared/platform/telemetry/metrics";
import { ConnectorError, type Connector, type Shard, type ShardFailure } from "@leeway/connectors/connector";
import type { ListedAccount } from "@leeway/clouds/listings/named-accounts";
import { ListingLines } from "@leeway/clouds/reading/listing-lines";

import { LostScan } from "./lease.ts";
import type { Claim } from "./store/claims.ts";
import { beginShard, endShard, keepPage, shardKey, type ShardOutcome } from "./store/shards.ts";

/** A scan of a cloud by this process. */
export interface Listing {
  sql: OrgStatements;
  claim: Claim;
  account: CloudAccount;
  listedAccount: ListedAccount;
  connector: Connector;
  /** Whether another worker may have started pending shards. */
  isResumed: boolean;
  /** Receives the number of resources seen since the last call. */
  onSeen(more: number): void;
}

const PAGE_CHARACTERS = 1 << 18;
/** Restarts of a shard. One whose worker dies each time must not keep the rest of the account from being listed. */
const MAX_ATTEMPTS = 3;

const pages = counter("scan_pages_total", "Pages that clouds returned to scans", ["provider"]);
const shardSeconds = durations("scan_shard_seconds", "Duration of listing a shard", ["provider", "outcome"]);

/**
 * Lists a shard from its beginning and stores the result page by page. A failure of the cloud is stored as the
 * outcome.
 * @throws {LostScan} if the scan no longer belongs to this process; the signal's reason once it is aborted
 */
export async function listShard(
  listing: Listing,
  number: number,
  shard: Shard,
  signal: AbortSignal,
): Promise<void> {
  const { sql, claim, account, isResumed } = listing;
  const started = performance.now();
  const attempts = isResumed ? await beginShard(sql, claim, number) : 0;
  if (attempts === undefined) throw new LostScan();
  const outcome =
    attempts > MAX_ATTEMPTS
      ? failedBy({ code: "internal", message: `listing was interrupted ${MAX_ATTEMPTS} times` })
      : await keepPages(listing, { number, shard }, signal);
  if (!(await endShard(sql, claim, number, outcome))) throw new LostScan();
  const labels = { provider: account.provider, outcome: outcome.failure?.code ?? "listed" };
  shardSeconds.observe(labels, (performance.now() - started) / 1000);
}

function failedBy(failure: ShardFailure): ShardOutcome {
  return { seen: 0, foreign: 0, formats: [], taggedTypes: [], failure, rest: { number: 0, lines: "" } };
}

/** Stores the pages of a shard. Pages before a failure are stored, too. */
async function keepPages(
  { sql, claim, account, listedAccount, connector, onSeen }: Listing,
  { number: shard, shard: place }: { number: number; shard: Shard },
  signal: AbortSignal,
): Promise<ShardOutcome> {
  const cloud = cloudOf(account.provider);
  const lines = new ListingLines(cloud, listedAccount, shardKey(place));
  const take = (resource: Parameters<ListingLines["take"]>[0]) => void lines.take(resource);
  const reader = createPageReader({ formats: formatsOf(cloud), clouds: CLOUDS, take });
  let kept = 0;
  const keep = async (): Promise<void> => {
    if (!(await keepPage(sql, claim, shard, { number: kept, lines: lines.cut() }))) throw new LostScan();
    kept += 1;
  };
  const unlisted = new Set(connector.taggedTypesOf && connector.typesOf?.(place));
  let failure: ShardFailure | undefined;
  let reported = 0;
  try {
    await addTaggedTypes(unlisted, connector, place, signal);
    for await (const document of connector.list(place, signal)) {
      pages.inc({ provider: account.provider });
      reader.read(document);
      for (const { pageType } of reader.formats()) unlisted.delete(pageType?.(document) ?? "");
      onSeen(lines.seen - reported);
      reported = lines.seen;
      if (lines.characters >= PAGE_CHARACTERS) await keep();
    }
  } catch (error) {
    signal.throwIfAborted();
    failure = failureOf(error);
  }
  return {
    seen: lines.seen,
    foreign: lines.accounts.foreign,
    formats: reader.formats().map(({ name }) => name),
    taggedTypes: [...unlisted],
    failure,
    rest: { number: kept, lines: lines.cut() },
  };
}

async function addTaggedTypes(
  types: Set<string>,
  connector: Connector,
  place: Shard,
  signal: AbortSignal,
): Promise<void> {
  for (const type of (await connector.taggedTypesOf?.(place, signal)) ?? []) types.add(type);
}

/**
 * Returns the failure of the cloud.
 * @throws `error` if it isn't the cloud's
 */
function failureOf(error: unknown): ShardFailure {
  if (error instanceof ConnectorError) return error.failure;
  if (error instanceof AppError && error.code === "unsupported_format")
    return { code: "internal", message: "the cloud's response has an unknown format" };
  throw error;
}
