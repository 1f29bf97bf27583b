import { lossOf } from "@leeway/analysis/risk/loss";
import type { CatalogEntry } from "@leeway/clouds/catalog";
import type { Cloud, DeclaredResource } from "@leeway/clouds/cloud";
import type { Loss } from "@leeway/clouds/loss";
import { isObject } from "@leeway/shared/values/json";

/** Everything that a cloud's module knows of a declared resource, besides its keys. */
export interface DeclaredFacts {
  /** Terraform type that stands for all types that declare the same. */
  canonicalType: string;
  /** Whether its cloud lists its type as a separate resource. */
  isListed: boolean;
  isTagged: boolean;
  /** The loss if it is deleted. */
  loss: Loss;
}

export function declaredFacts(resource: DeclaredResource, cloud: Cloud): DeclaredFacts {
  const entry = cloud.declaredEntry(resource.type);
  return {
    canonicalType: entry?.terraform[0] ?? resource.type,
    isListed: entry?.listed ?? false,
    isTagged: isTagged(resource),
    loss: entry ? lossIn(entry, resource) : "other",
  };
}

/** Returns the catalog's loss, unless the attributes show that this resource holds less. */
function lossIn(
  { loss, terraform: [canonical] }: CatalogEntry,
  { type: own, attributes }: DeclaredResource,
): Loss {
  const type = canonical ?? own;
  return loss === lossOf(type) ? lossOf(type, attributes) : loss;
}

function isTagged({ attributes }: DeclaredResource): boolean {
  return [attributes["tags_all"], attributes["tags"]].some(
    (tags) => isObject(tags) && Object.keys(tags).length > 0,
  );
}
