import type { ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";

import type { Cloud, ListingFormat } from "../../clouds/cloud.ts";
import { formatsOf } from "../../clouds/clouds.ts";
import type { Connector, Shard } from "../../connectors/connector.ts";
import type { Hidden } from "../store/live-side.ts";
import type { BlindSpot } from "../store/sight.ts";
import type { ScanShard } from "./store/shards.ts";

const MOST_ERRORS = 100;

/** What the shards of a scan come to. */
export interface Outcomes {
  stats: ScanStats;
  errors: ScanError[];
  formats: ListingFormat[];
  /** Where the scan couldn't look. */
  blindSpots: BlindSpot[];
  /** What may be there, as far as only shards that failed, or those of a scan of another kind, would have shown it. */
  hidden: Hidden[];
  /** Nothing could be seen. */
  isBlind: boolean;
}

export function outcomesOf(shards: readonly ScanShard[], cloud: Cloud, connector: Connector): Outcomes {
  const failed = shards.filter(({ status }) => status === "failed");
  const names = new Set(shards.flatMap(({ formats }) => formats));
  return {
    stats: statsOf(shards),
    errors: bounded(failed.map(errorOf)),
    formats: formatsOf(cloud).filter(({ name }) => names.has(name)),
    blindSpots: [
      ...failed.flatMap((shard) => blindSpotsOf(shard, cloud, connector)),
      ...shards.flatMap((shard) => untaggedOf(shard, cloud)),
    ],
    hidden: [...hiddenBy(shards, cloud, connector), ...unasked(shards, connector)],
    isBlind: failed.length === shards.length && shards.every(({ seen }) => seen === 0),
  };
}

/** A region counts as failed when a shard of it did; what has no region is one together. */
function statsOf(shards: readonly ScanShard[]): ScanStats {
  const foreign = sum(shards.map(({ foreign_count }) => foreign_count));
  const regions = new Set(shards.map(({ region }) => region));
  const failed = new Set(shards.filter(({ status }) => status === "failed").map(({ region }) => region));
  return {
    seen: sum(shards.map(({ seen }) => seen)),
    ...(foreign > 0 && { foreign }),
    regions_ok: regions.size - failed.size,
    regions_failed: failed.size,
  };
}

function errorOf({ service, region, error_code, error_message, failed_types }: ScanShard): ScanError {
  return {
    service,
    ...(region !== null && { region }),
    code: error_code ?? "internal",
    message: error_message ?? "it couldn't be listed",
    count: failed_types?.length ?? 1,
  };
}

/** As many as anybody reads, the last one for all the rest. */
export function bounded(errors: ScanError[]): ScanError[] {
  if (errors.length <= MOST_ERRORS) return errors;
  const rest = errors.slice(MOST_ERRORS - 1);
  const [{ code } = { code: "internal" as const }] = rest;
  const message = `${rest.length} more parts of the account failed`;
  return [...errors.slice(0, MOST_ERRORS - 1), { code, message, count: sum(rest.map(({ count }) => count)) }];
}

function blindSpotsOf(shard: ScanShard, cloud: Cloud, connector: Connector): BlindSpot[] {
  const types = unlistedTypes(shard, connector);
  const region = regionOf(shard);
  if (types === undefined) return [{ canonicalType: undefined, region, untaggedOnly: false }];
  return canonical(types, cloud).map((canonicalType) => ({ canonicalType, region, untaggedOnly: false }));
}

/** The cloud's types that a shard which failed may not have listed; undefined: any. */
function unlistedTypes(shard: ScanShard, connector: Connector): readonly string[] | undefined {
  return shard.failed_types ?? connector.typesOf?.(placeOf(shard));
}

function placeOf({ service, region }: ScanShard): Shard {
  return { service, ...(region !== null && { region }) };
}

function untaggedOf(shard: ScanShard, cloud: Cloud): BlindSpot[] {
  const region = regionOf(shard);
  return canonical(shard.tagged_types, cloud).map((canonicalType) => ({
    canonicalType,
    region,
    untaggedOnly: true,
  }));
}

/** Of a shard that repeats others nothing is hidden that those show: where one of them has failed, it hides that itself. */
function hiddenBy(shards: readonly ScanShard[], { catalog }: Cloud, connector: Connector): Hidden[] {
  const tagged = new Set(shards.flatMap(({ tagged_types }) => tagged_types));
  const full = catalog.entries
    .filter(({ type, listed }) => listed && !tagged.has(type))
    .map(({ type }) => type);
  const repeated = tagged.size === 0 ? [] : full; // none: it couldn't be asked which types they are
  return shards
    .filter(({ status }) => status === "failed")
    .map((shard) => ({
      region: shard.error_code === "unsupported" ? undefined : regionOf(shard), // misspelt, it may be any
      types: unlistedTypes(shard, connector),
      except: connector.repeats?.(placeOf(shard)) ? repeated : [],
    }));
}

/** What another kind of scan may have shown, by an index of types that aren't listed one by one or the other way round. */
function unasked(shards: readonly ScanShard[], connector: Connector): Hidden[] {
  const listed = shards.filter(({ status }) => status === "listed");
  const untagged = listed
    .filter(({ tagged_types }) => tagged_types.length > 0)
    .map((shard) => ({
      region: regionOf(shard),
      types: shard.tagged_types,
      except: [],
      untaggedOnly: true,
      once: true,
    }));
  const asked = listed.map((shard) => connector.typesOf?.(placeOf(shard)));
  const isAny = asked.includes(undefined);
  const others = {
    region: undefined,
    types: undefined,
    except: [...new Set(asked.flatMap((types) => types ?? []))],
  };
  return isAny ? untagged : [...untagged, { ...others, once: true }];
}

function regionOf({ region }: ScanShard): string | undefined {
  return region === null || region === "global" ? undefined : region;
}

function canonical(types: readonly string[], { catalog }: Cloud): string[] {
  return [...new Set(types.map((type) => catalog.byType(type)?.terraform[0] ?? type))];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
