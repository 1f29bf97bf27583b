import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError } from "@leeway/shared/errors";
import { counter, durations } from "@leeway/shared/telemetry/metrics";

import { CLOUDS, cloudOf, formatsOf } from "../../clouds/clouds.ts";
import { ConnectorError, type Connector, type Shard, type ShardFailure } from "../../connectors/connector.ts";
import type { ListedAccount } from "../../listings/listed-line.ts";
import { ListingLines } from "../../listings/listing-lines.ts";
import { createPageReader } from "../../listings/read-listing.ts";
import { LostScan } from "./lease.ts";
import type { Claim } from "./store/claims.ts";
import { beginShard, endShard, keepPage, shardKey, type ShardOutcome } from "./store/shards.ts";

/** A scan that asks a cloud, in the hands of this process. */
export interface Listing {
  sql: OrgStatements;
  claim: Claim;
  account: CloudAccount;
  listedAccount: ListedAccount;
  connector: Connector;
  /** Whether another worker may have begun what is pending. */
  isResumed: boolean;
  /** Told of how many more resources were seen. */
  onSeen(more: number): void;
}

const PAGE_CHARACTERS = 1 << 18;
/** A shard whose worker dies each time must not keep the rest of the account from being seen. */
const MOST_ATTEMPTS = 3;

const pages = counter("scan_pages_total", "Pages that clouds gave to scans", ["provider"]);
const shardSeconds = durations("scan_shard_seconds", "Time to list a shard", ["provider", "outcome"]);

/**
 * Lists a shard from its beginning and keeps what it shows, page by page; a failure of the cloud's is kept as such.
 * @throws {LostScan} when the scan isn't this process's any more; the signal's reason once it is aborted
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
    attempts > MOST_ATTEMPTS
      ? failedBy({ code: "internal", message: `listing it was cut off ${MOST_ATTEMPTS} times` })
      : await keepPages(listing, { number, shard }, signal);
  if (!(await endShard(sql, claim, number, outcome))) throw new LostScan();
  const labels = { provider: account.provider, outcome: outcome.failure?.code ?? "listed" };
  shardSeconds.observe(labels, (performance.now() - started) / 1000);
}

function failedBy(failure: ShardFailure): ShardOutcome {
  return { seen: 0, foreign: 0, formats: [], taggedTypes: [], failure, rest: { number: 0, lines: "" } };
}

/** What is shown before a failure is kept too: it was seen. */
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
  let told = 0;
  try {
    await addTaggedTypes(unlisted, connector, place, signal);
    for await (const document of connector.list(place, signal)) {
      pages.inc({ provider: account.provider });
      reader.read(document);
      for (const { pageType } of reader.formats()) unlisted.delete(pageType?.(document) ?? "");
      onSeen(lines.seen - told);
      told = lines.seen;
      if (lines.characters >= PAGE_CHARACTERS) await keep();
    }
  } catch (error) {
    signal.throwIfAborted();
    failure = failureOf(error);
  }
  return {
    seen: lines.seen,
    foreign: lines.foreign,
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

/** @throws `error` unless it is the cloud's fault */
function failureOf(error: unknown): ShardFailure {
  if (error instanceof ConnectorError) return error.failure;
  if (error instanceof AppError && error.code === "unsupported_format")
    return { code: "internal", message: "the cloud answered in a form that isn't known" };
  throw error;
}
