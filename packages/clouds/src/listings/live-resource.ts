import type { NormalizedType } from "@leeway/shared/contracts/inventory/normalized-types";

import type { Cloud, ListedResource, MatchKey } from "../cloud.ts";
import type { ListedAccount } from "./named-accounts.ts";

/** Everything that a cloud's module knows of a listed resource. */
export interface LiveFacts {
  normalizedType: NormalizedType;
  /** Terraform type that stands for all types that declare it; the cloud's own type if the catalog lacks it. */
  canonicalType: string;
  /** Whether a Terraform type is known for it. */
  isMapped: boolean;
  /** Whether its cloud lists its type as a separate resource; also true for unknown types. */
  isListed: boolean;
  /** Most reliable first. */
  keys: MatchKey[];
  /** Keys of the resource whose declaration also declares this one. */
  ownerKeys: MatchKey[];
  /** Id of the rule that excludes it from the counts. */
  exclusion: string | undefined;
}

export function factsOf(
  resource: ListedResource,
  cloud: Cloud,
  { external_id: account }: Pick<ListedAccount, "external_id">,
): LiveFacts {
  return {
    ...typesOf(resource, cloud),
    keys: cloud.liveKeys(resource, account),
    ownerKeys: cloud.ownerKeys(resource, account),
    exclusion: cloud.exclusions.find((rule) => rule.applies(resource))?.id,
  };
}

/** Returns a resource's types from the catalog; a type missing from the catalog keeps its own name. */
function typesOf(
  { terraform_type: declared, provider_type: type }: ListedResource,
  { catalog }: Cloud,
): Pick<LiveFacts, "normalizedType" | "canonicalType" | "isMapped" | "isListed"> {
  const entry = catalog.byTerraform(declared ?? "") ?? catalog.byType(type);
  return {
    normalizedType: entry?.normalized ?? "other",
    canonicalType: entry?.terraform[0] ?? declared ?? type,
    isMapped: entry !== undefined || declared !== undefined,
    isListed: entry?.listed !== false,
  };
}
