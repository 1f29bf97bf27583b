import type { Cloud, DeclaredIdentity, DeclaredResource, MatchKey } from "@leeway/clouds/cloud";
import { cloudOfType } from "@leeway/clouds/clouds";
import { readState, type StateHead } from "@leeway/clouds/states/read-state";

import { comparableAttributes } from "../comparable-attributes.ts";
import { declaredFacts, type DeclaredFacts } from "../declared-facts.ts";

/** A resource that a state declares, with its secrets masked. */
export interface DeclaredRow extends DeclaredFacts {
  id: string;
  /** Name of the state. */
  sourceId: string;
  cloud: Cloud;
  type: string;
  address: string;
  moduleAddress: string | undefined;
  providerName: string | undefined;
  /** Account in its own identifiers, in lower case. */
  account: string | undefined;
  region: string | undefined;
  keys: readonly MatchKey[];
  /** Keys of the live resource that contains it. */
  wholeKeys: readonly MatchKey[];
  isInline: boolean;
  /** Whether its absence from listings doesn't prove that it is gone. */
  isUnsure: boolean;
  /** JSON of the attributes to compare; undefined for a type that can't be compared. */
  attributes: string | undefined;
}

/** The resources of a state. */
export interface DeclaredState {
  head: StateHead;
  rows: DeclaredRow[];
}

/**
 * Reads a state of any tool.
 * @param name identifies the state, and orders it among others
 * @throws {AppError} `unsupported_format`, `state_encrypted`
 */
export async function readDeclaredState(
  body: AsyncIterable<Uint8Array>,
  name: string,
): Promise<DeclaredState> {
  const rows: DeclaredRow[] = [];
  const add = (resource: DeclaredResource, identity: DeclaredIdentity, own: boolean): void => {
    const cloud = cloudOfType(resource.type);
    rows.push({
      ...declaredFacts(resource, cloud),
      id: `${name} ${String(rows.length).padStart(9, "0")}`,
      sourceId: name,
      cloud,
      type: resource.type,
      address: resource.address,
      moduleAddress: resource.module_address,
      providerName: resource.provider_name,
      account: identity.account?.toLowerCase(),
      region: identity.region,
      keys: identity.keys,
      wholeKeys: own ? cloud.wholeKeys(resource) : [],
      isInline: !own,
      isUnsure: identity.isUnsure ?? identity.keys.length === 0,
      attributes: own ? comparableAttributes(resource, cloud) : undefined,
    });
  };
  const head = await readState(body, {
    take(resource) {
      const cloud = cloudOfType(resource.type);
      add(resource, cloud.declaredIdentity(resource), true);
      for (const child of cloud.inlineChildren(resource)) add(child, child, false);
    },
    drain: async () => undefined,
  });
  return { head, rows };
}
