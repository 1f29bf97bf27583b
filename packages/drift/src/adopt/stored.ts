import { cloudOf } from "@leeway/clouds/clouds";
import type { Adoption, AdoptionTool } from "@leeway/shared/contracts/inventory/adoptions";

import { adopt } from "./adopt.ts";
import type { DeclaredBeside, LiveToAdopt } from "./live.ts";

/** A stored live resource; JSON isn't parsed yet. */
export interface StoredToAdopt extends Omit<LiveToAdopt, "cloud" | "tags" | "properties"> {
  provider: string;
  tags: string | undefined;
  properties: string | undefined;
}

/** Turns stored live resources into code, and returns it as JSON. */
export function adoptStored(
  rows: readonly StoredToAdopt[],
  beside: readonly DeclaredBeside[],
  tool?: AdoptionTool,
): { json: string } {
  return { json: JSON.stringify(adoptRows(rows, beside, tool)) };
}

/** Turns stored live resources into code. */
export function adoptRows(
  rows: readonly StoredToAdopt[],
  beside: readonly DeclaredBeside[],
  tool?: AdoptionTool,
): Adoption {
  return adopt(rows.map(opened), beside, tool);
}

function opened({ provider, tags, properties, ...row }: StoredToAdopt): LiveToAdopt {
  return {
    ...row,
    cloud: cloudOf(provider),
    tags: tags === undefined ? undefined : JSON.parse(tags),
    properties: properties === undefined ? undefined : JSON.parse(properties),
  };
}

/** Returns the sentence that says which declaration or rule a resource belongs to; undefined if it can be adopted. */
export function takenBy(
  provider: string,
  {
    address,
    exclusion,
    isOwned,
  }: { address: string | undefined; exclusion: string | undefined; isOwned: boolean },
): string | undefined {
  if (address !== undefined) {
    return isOwned ? `its owner is declared as ${address}` : `already declared as ${address}`;
  }
  return cloudOf(provider).exclusions.find(({ id }) => id === exclusion)?.title;
}
