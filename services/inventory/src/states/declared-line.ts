import { AppError } from "@leeway/shared/errors";
import { isObject } from "@leeway/shared/json";

import type { Cloud, DeclaredIdentity, DeclaredResource } from "../clouds/cloud.ts";
import { copyLine } from "../documents/copy-text.ts";
import { writable } from "../matching/declared-texts.ts";

/** Columns of a declared line, in order; `incoming_declared` has the same. */
export const DECLARED_COLUMNS = [
  "id",
  "address",
  "module_address",
  "type",
  "canonical_type",
  "provider_name",
  "provider_config",
  "cloud",
  "account",
  "region",
  "keys",
  "inline",
  "listed",
  "tagged",
  "loss",
  "attributes",
  "whole_keys",
  "is_unsure",
] as const;

/** Longer ones don't fit an index. */
const LONGEST_ADDRESS_BYTES = 2_500;

/**
 * A declared resource, with those of its attributes that are kept, and what it holds inline, as lines for COPY.
 * @throws {AppError} `unsupported_format` for an address that is too long to be kept
 */
export function declaredLines(
  resource: DeclaredResource,
  cloud: Cloud,
  attributes: string | undefined,
): string[] {
  const own = line(resource, writable(cloud.declaredIdentity(resource)), cloud, {
    inline: false,
    attributes,
    wholeKeys: cloud.wholeKeys(resource),
  });
  const children = cloud
    .inlineChildren(resource)
    .map((child) => line(child, writable(child), cloud, { inline: true }));
  return [own, ...children];
}

function line(
  resource: DeclaredResource,
  identity: DeclaredIdentity,
  cloud: Cloud,
  {
    inline,
    attributes,
    wholeKeys = [],
  }: { inline: boolean; attributes?: string | undefined; wholeKeys?: readonly string[] },
): string {
  refuseOversize(resource);
  const entry = cloud.declaredEntry(resource.type);
  return copyLine([
    Bun.randomUUIDv7(),
    resource.address,
    resource.module_address,
    resource.type,
    entry?.terraform[0] ?? resource.type,
    resource.provider_name,
    resource.provider_config,
    cloud.provider,
    identity.account?.toLowerCase(),
    identity.region,
    identity.keys,
    inline,
    entry?.listed ?? false,
    isTagged(resource),
    entry?.loss ?? "other",
    attributes,
    wholeKeys,
    identity.isUnsure ?? identity.keys.length === 0,
  ]);
}

function refuseOversize({ address }: DeclaredResource): void {
  if (Buffer.byteLength(address) <= LONGEST_ADDRESS_BYTES) return;
  throw new AppError(
    "unsupported_format",
    `the address ${address.slice(0, 80)}… is longer than ${LONGEST_ADDRESS_BYTES} bytes`,
  );
}

function isTagged({ attributes }: DeclaredResource): boolean {
  return [attributes["tags_all"], attributes["tags"]].some(
    (tags) => isObject(tags) && Object.keys(tags).length > 0,
  );
}
