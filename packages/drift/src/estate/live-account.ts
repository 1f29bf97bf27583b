import type { Cloud, ListedResource, ListingFormat } from "@leeway/clouds/cloud";
import { cloudOf, CLOUDS, formatsOf } from "@leeway/clouds/clouds";
import { factsOf, type LiveFacts } from "@leeway/clouds/listings/live-resource";
import { NamedAccounts, type AccountCounts } from "@leeway/clouds/listings/named-accounts";
import { readListing, type ReadListing } from "@leeway/clouds/listings/read-listing";
import { redactProperties } from "@leeway/clouds/listings/redact-properties";
import { identityOf, kindOf } from "@leeway/clouds/listings/same-resource";
import { scopeOf, type SightScope } from "@leeway/clouds/listings/sight-scope";
import { AppError } from "@leeway/shared/values/errors";
import { redact, redactText } from "@leeway/shared/security/redaction/redact";

/** A live resource, with its secrets masked. */
export interface LiveResource extends LiveFacts {
  id: string;
  providerType: string;
  providerResourceId: string;
  region: string | undefined;
  name: string | undefined;
  /** JSON. */
  tags: string | undefined;
  /** JSON; undefined if the listing only shows that the resource exists. */
  properties: string | undefined;
}

/** Account as one or several listings show it. */
export interface LiveAccount {
  /** `<provider>:<external id>`. */
  id: string;
  cloud: Cloud;
  externalId: string;
  /** Id that states use for it, in lower case: a Google project's id even if listings have its number. */
  namedAs: string;
  resources: LiveResource[];
  counts: AccountCounts;
  /** Names of the listings' formats. */
  formats: string[];
  /** Canonical types in the listings. */
  types: Set<string>;
  scope: SightScope;
  /** Whether the listings contain only tagged resources. */
  taggedOnly: boolean;
  /** Member of a last page that shows that pages are missing. */
  goesOn: string | undefined;
}

/** One listing, not yet assigned to an account. */
export interface Listing {
  cloud: Cloud;
  resources: ListedResource[];
  emptyTypes: string[];
  read: ReadListing;
}

/**
 * Reads a listing in any format of any cloud.
 * @param bytes returns the listing's bytes; called once for each cloud that is tried
 * @throws {AppError} `unsupported_format` if no cloud has such a listing
 */
export async function readAnyListing(bytes: () => AsyncIterable<Uint8Array>): Promise<Listing> {
  let refusal: unknown;
  for (const cloud of CLOUDS) {
    const resources: ListedResource[] = [];
    const emptyTypes: string[] = [];
    try {
      const read = await readListing(bytes(), {
        formats: formatsOf(cloud),
        clouds: CLOUDS,
        take: (resource) => resources.push(resource),
        lack: (type) => emptyTypes.push(type),
      });
      return { cloud: ownerOf(resources, cloud), resources, emptyTypes, read };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Returns the cloud whose ids the resources have. Leeway's own format is every cloud's. */
function ownerOf(resources: readonly ListedResource[], found: Cloud): Cloud {
  const owners = CLOUDS.map((cloud) => ({
    cloud,
    named: resources.filter((one) => cloud.accountOf(one.provider_resource_id) !== undefined).length,
  })).toSorted((a, b) => b.named - a.named);
  const [first] = owners;
  return first && first.named > 0 ? first.cloud : found;
}

/** Returns the account that most resources of a listing name; undefined if none names one. */
export function accountIn({ cloud, resources }: Listing): string | undefined {
  const counts = new Map<string, number>();
  for (const { account, provider_resource_id: id } of resources) {
    const named = (account ?? cloud.accountOf(id))?.toLowerCase();
    if (named !== undefined) counts.set(named, (counts.get(named) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([, a], [, b]) => b - a);
  return first?.[0];
}

/** Joins the listings of one account. Rows of other accounts are counted and left out. */
export function joinListings(
  listings: readonly Listing[],
  account: { provider: string; external_id: string },
): LiveAccount {
  const cloud = cloudOf(account.provider);
  const named = new NamedAccounts(cloud, account);
  const own = listings.flatMap(({ resources }) => resources).filter((one) => !named.takeForeign(one));
  const resources = withoutDuplicates(
    own.map((resource, index) => liveResource(resource, { cloud, account, id: String(index) })),
  );
  const formats = listings.flatMap(({ read }) => read.formats);
  const emptyTypes = listings.flatMap((listing) => listing.emptyTypes);
  return {
    id: `${account.provider}:${account.external_id}`,
    cloud,
    externalId: account.external_id,
    namedAs: projectIdIn(own, cloud, account.external_id) ?? account.external_id.toLowerCase(),
    resources,
    counts: named.counts(),
    formats: [...new Set(formats.map(({ name }) => name))],
    types: new Set([
      ...resources.map(({ canonicalType }) => canonicalType),
      ...emptyTypes.map((type) => cloud.catalog.byType(type)?.terraform[0] ?? type),
    ]),
    scope: scopeOf({
      formats,
      isMixed: listings.some(({ read }) => read.isMixed),
      isOfParts: resources.length > 0 && !resources.some(({ isListed }) => isListed),
    }),
    taggedOnly: areTaggedOnly(formats),
    goesOn: listings.map(({ read }) => read.goesOn).find((end) => end !== undefined),
  };
}

function areTaggedOnly(formats: readonly ListingFormat[]): boolean {
  return formats.length > 0 && formats.every((format) => format.taggedOnly === true);
}

function projectIdIn(rows: readonly ListedResource[], cloud: Cloud, account: string): string | undefined {
  const project = cloud.projectRow?.(account);
  const row = project && rows.find(({ provider_resource_id: id }) => id === project.id);
  return row?.properties && project?.idIn(row.properties)?.toLowerCase();
}

function liveResource(
  resource: ListedResource,
  { cloud, account, id }: { cloud: Cloud; account: { external_id: string }; id: string },
): LiveResource {
  const { provider_type: providerType, provider_resource_id: providerResourceId, region, name } = resource;
  const properties = resource.properties && redactProperties(resource.properties, resource, cloud).value;
  return {
    id,
    providerType,
    providerResourceId,
    region,
    name: name === undefined ? undefined : redactText(name),
    tags: resource.tags && JSON.stringify(redact(resource.tags).value),
    properties: properties && JSON.stringify(properties),
    ...factsOf(resource, cloud, account),
  };
}

/** Keeps one row for each id, the one with the most data. */
function withoutDuplicates(resources: readonly LiveResource[]): LiveResource[] {
  const byId = new Map<string, LiveResource>();
  for (const resource of resources) {
    const { providerType, providerResourceId: id } = resource;
    const key = `${kindOf(providerType, id)} ${identityOf(id)}`;
    const known = byId.get(key);
    if (!known || isRicher(resource, known)) byId.set(key, resource);
  }
  return [...byId.values()];
}

function isRicher(resource: LiveResource, than: LiveResource): boolean {
  const weights = [resource, than].map(({ properties, tags, region, providerType }) => [
    properties === undefined ? 1 : 0,
    properties?.includes('"Engine":') === true ? 0 : 1,
    tags === undefined ? 1 : 0,
    region ?? "\uFFFF",
    providerType,
  ]);
  const [own = [], other = []] = weights;
  for (const [index, weight] of own.entries()) {
    const against = other[index];
    if (against === undefined || weight === against) continue;
    return index === own.length - 1 ? weight > against : weight < against;
  }
  return false;
}
