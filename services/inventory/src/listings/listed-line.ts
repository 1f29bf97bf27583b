import { redact, redactText } from "@leeway/shared/redaction/redact";

import type { Cloud, ListedResource } from "../clouds/cloud.ts";
import { hasEnricher } from "../clouds/clouds.ts";
import { copyLine } from "../documents/copy-text.ts";
import type { Live } from "../matching/matcher.ts";
import { redactProperties } from "./redact-properties.ts";

/** The account that a listing is of. */
export interface ListedAccount {
  provider: string;
  external_id: string;
}

/** Columns of a listed line, in order; the temporary table `live_side` of a push has the same. */
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

/** What a line may tell besides: the declaration of its resource, and the level of their match. */
export const EARLY_COLUMNS = ["iac_id", "level"] as const;

/** Whether a row says plainly that its resource is in another account. A number tells nothing of a name. */
export function isForeign(resource: ListedResource, cloud: Cloud, { external_id }: ListedAccount): boolean {
  const account = resource.account ?? cloud.accountOf(resource.provider_resource_id);
  if (account === undefined || account === external_id) return false;
  return isNumber(account) === isNumber(external_id) && account.toLowerCase() !== external_id.toLowerCase();
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/** One resource of a listing, as matching looks at it and as a line for COPY. */
interface ListedLine extends Live {
  line: string;
  canonicalType: string;
  /** Whether its cloud lists its type in its own right, or nobody knows. */
  isListed: boolean;
  /** Whether something may own it, which would have declared it. */
  isOwned: boolean;
}

/**
 * Classifies a resource, derives its keys, and takes its secrets away.
 * @param shard the part of a scan that shows it; undefined in a pushed listing
 */
export function listedLine(
  resource: ListedResource,
  cloud: Cloud,
  account: ListedAccount,
  shard?: string,
): ListedLine {
  const id = Bun.randomUUIDv7();
  const keys = cloud.liveKeys(resource, account.external_id);
  const { provider_resource_id, provider_type, region, name } = resource;
  const { normalized_type, canonical_type, mapped, listed } = classify(resource, cloud);
  const tags = resource.tags && redact(resource.tags);
  const properties = resource.properties && redactProperties(resource.properties, resource, cloud);
  const ownerKeys = cloud.ownerKeys(resource, account.external_id);
  const content = copyLine([
    provider_resource_id,
    provider_type,
    normalized_type,
    canonical_type,
    region,
    name === undefined ? undefined : redactText(name),
    mapped,
    keys,
    ownerKeys,
    cloud.exclusions.find((rule) => rule.applies(resource))?.id,
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
    canonicalType: canonical_type,
    isListed: listed,
    isOwned: ownerKeys.length > 0,
    line: `${id}\t${contentHash(content)}\t${content}\t${shards}`,
  };
}

/** What the catalog makes of a resource; a type that it doesn't know goes by its own name. */
function classify({ terraform_type, provider_type }: ListedResource, { catalog }: Cloud) {
  const entry = catalog.byTerraform(terraform_type ?? "") ?? catalog.byType(provider_type);
  return {
    normalized_type: entry?.normalized ?? "other",
    canonical_type: entry?.terraform[0] ?? terraform_type ?? provider_type,
    mapped: entry !== undefined || terraform_type !== undefined,
    listed: entry?.listed !== false,
  };
}

function enrichmentStatus({ complete }: ListedResource, cloud: Cloud): string {
  if (!hasEnricher(cloud)) return "n/a";
  return complete ? "enriched" : "none";
}

/** A signed 64-bit number that is another one for another content. */
function contentHash(content: string): string {
  return BigInt.asIntN(64, Bun.hash.wyhash(content)).toString();
}
