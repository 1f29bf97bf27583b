import { copyLine } from "@leeway/shared/values/copy-text";
import { redact, redactText } from "@leeway/shared/security/redaction/redact";

import type { Cloud, ListedResource } from "../cloud.ts";
import { hasEnricher } from "../clouds.ts";
import { redactProperties } from "../listings/redact-properties.ts";
import { factsOf } from "../listings/live-resource.ts";
import type { ListedAccount } from "../listings/named-accounts.ts";
import type { Live } from "../matching/model.ts";

/** Columns of a listed line, in order; equal to those of a push's temporary table `live_side`. */
export const LISTED_COLUMNS = [
  "live_id",
  "content_hash",
  "provider_resource_id",
  "provider_type",
  "normalized_type",
  "canonical_type",
  "region",
  "name",
  "mapped",
  "keys",
  "owner_keys",
  "exclusion",
  "cloud_created_at",
  "enrichment_status",
  "tags",
  "properties",
  "redactions",
  "shards",
] as const;

/** Further columns of a pushed line: the resource's declaration, the level of the match, and the row as `KnownRows` has it, without its id. */
export const EARLY_COLUMNS = ["iac_id", "level", "entry"] as const;

/** One resource of a listing, for matching and as a line for COPY. */
interface ListedLine extends Live {
  line: string;
  canonicalType: string;
  /** Whether its cloud lists its type as a separate resource; also true for unknown types. */
  isListed: boolean;
  /** Whether it has keys of an owner, whose declaration would cover it. */
  isOwned: boolean;
}

/**
 * Classifies a resource, derives its keys, and redacts its secrets.
 * @param shard the part of a scan that lists it; undefined in a pushed listing
 */
export function listedLine(
  resource: ListedResource,
  cloud: Cloud,
  account: ListedAccount,
  shard?: string,
): ListedLine {
  const id = Bun.randomUUIDv7();
  const { provider_resource_id, provider_type, region, name } = resource;
  const { normalizedType, canonicalType, isMapped, isListed, keys, ownerKeys, exclusion } = factsOf(
    resource,
    cloud,
    account,
  );
  const tags = resource.tags && redact(resource.tags);
  const properties = resource.properties && redactProperties(resource.properties, resource, cloud);
  const content = copyLine([
    provider_resource_id,
    provider_type,
    normalizedType,
    canonicalType,
    region,
    name === undefined ? undefined : redactText(name),
    isMapped,
    keys,
    ownerKeys,
    exclusion,
    resource.created_at,
    enrichmentStatus(resource, cloud),
    tags && JSON.stringify(tags.value),
    properties && JSON.stringify(properties.value),
    properties && JSON.stringify(properties.redactions),
  ]);
  const shards = copyLine([shard === undefined ? undefined : [shard]]);
  return {
    id,
    region,
    keys,
    canonicalType,
    isListed,
    isOwned: ownerKeys.length > 0,
    line: `${id}\t${contentHash(content)}\t${content}\t${shards}`,
  };
}

function enrichmentStatus({ complete }: ListedResource, cloud: Cloud): string {
  if (!hasEnricher(cloud)) return "n/a";
  return complete ? "enriched" : "none";
}

/** Returns a content hash as a signed 64-bit number. */
function contentHash(content: string): string {
  return BigInt.asIntN(64, Bun.hash.wyhash(content)).toString();
}
