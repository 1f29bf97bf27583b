import type { Cloud, DeclaredIdentity, DeclaredResource } from "@leeway/clouds/cloud";
import { copyLine } from "@leeway/shared/values/copy-text";
import { AppError } from "@leeway/shared/values/errors";
import { writable } from "@leeway/clouds/matching/declared-texts";

import { declaredFacts } from "../declared-facts.ts";

/** Columns of a declared line, in order; equal to those of `incoming_declared`. */
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

/** Max length of an address. Longer ones don't fit into an index. */
const LONGEST_ADDRESS_BYTES = 2_500;

/**
 * Returns lines for COPY: the declared resource with its stored attributes, and its inline children.
 * @throws {AppError} `unsupported_format` for an address that is too long to store
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
  const { canonicalType, isListed, isTagged, loss } = declaredFacts(resource, cloud);
  return copyLine([
    Bun.randomUUIDv7(),
    resource.address,
    resource.module_address,
    resource.type,
    canonicalType,
    resource.provider_name,
    resource.provider_config,
    cloud.provider,
    identity.account?.toLowerCase(),
    identity.region,
    identity.keys,
    inline,
    isListed,
    isTagged,
    loss,
    attributes,
    wholeKeys,
    identity.isUnsure ?? identity.keys.length === 0,
  ]);
}

function refuseOversize({ address }: DeclaredResource): void {
  if (Buffer.byteLength(address) <= LONGEST_ADDRESS_BYTES) return;
  throw new AppError(
    "unsupported_format",
    `the address ${address.slice(0, 80)}… exceeds ${LONGEST_ADDRESS_BYTES} bytes`,
  );
}
