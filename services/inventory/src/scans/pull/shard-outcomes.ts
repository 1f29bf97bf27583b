import type { Cloud, ListingFormat } from "@leeway/clouds/cloud";
import { formatsOf } from "@leeway/clouds/clouds";
import type { ScanError, ScanStats } from "@leeway/shared/contracts/inventory/scans";

import type { Connector, Shard } from "@leeway/connectors/connector";
import type { Hidden } from "../store/live-side.ts";
import type { BlindSpot } from "../store/sight.ts";
import type { ScanShard } from "./store/shards.ts";

const MAX_ERRORS = 100;

/** The combined result of a scan's shards. */
export interface Outcomes {
  stats: ScanStats;
  errors: ScanError[];
  formats: ListingFormat[];
  /** Places that the scan couldn't list. */
  blindSpots: BlindSpot[];
  /** Resources that may exist, because only failed shards, or those of another kind of scan, would have shown them. */
  hidden: Hidden[];
  /** Whether nothing could be seen. */
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

/** Counts resources and regions. A region has failed if one of its shards has; shards without a region count as one. */
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
    message: error_message ?? "listing failed",
    count: failed_types?.length ?? 1,
  };
}

/** Limits the number of errors. The last one stands for all the remaining ones. */
export function bounded(errors: ScanError[]): ScanError[] {
  if (errors.length <= MAX_ERRORS) return errors;
  const rest = errors.slice(MAX_ERRORS - 1);
  const [{ code } = { code: "internal" as const }] = rest;
  const message = `${rest.length} more parts of the account failed`;
  return [...errors.slice(0, MAX_ERRORS - 1), { code, message, count: sum(rest.map(({ count }) => count)) }];
}

function blindSpotsOf(shard: ScanShard, cloud: Cloud, connector: Connector): BlindSpot[] {
  const types = unlistedTypes(shard, connector);
  const region = regionOf(shard);
  if (types === undefined) return [{ canonicalType: undefined, region, untaggedOnly: false }];
  return canonical(types, cloud).map((canonicalType) => ({ canonicalType, region, untaggedOnly: false }));
}

/** Returns the cloud's types that a failed shard may not have listed; undefined: any type. */
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

/**
 * Returns the resources that failed shards hide. A shard that repeats others hides nothing that they show; if one of
 * them failed, it hides its resources itself.
 */
function hiddenBy(shards: readonly ScanShard[], { catalog }: Cloud, connector: Connector): Hidden[] {
  const tagged = new Set(shards.flatMap(({ tagged_types }) => tagged_types));
  const full = catalog.entries
    .filter(({ type, listed }) => listed && !tagged.has(type))
    .map(({ type }) => type);
  const repeated = tagged.size === 0 ? [] : full; // none: the types couldn't be looked up
  return shards
    .filter(({ status }) => status === "failed")
    .map((shard) => ({
      region: shard.error_code === "unsupported" ? undefined : regionOf(shard), // a misspelled one may stand for any
      types: unlistedTypes(shard, connector),
      except: connector.repeats?.(placeOf(shard)) ? repeated : [],
    }));
}

/**
 * Returns resources that only another kind of scan may have shown: one with an index of types that can't be listed
 * one by one, or one without it.
 */
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
