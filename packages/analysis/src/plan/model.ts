import type { AttributeChange, Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";

/** One resource of a plan: a planned change, or (`drift`) one that happened outside code. */
export interface ResourceChange {
  address: string;
  previousAddress: string | undefined;
  moduleAddress: string | undefined;
  mode: "managed" | "data";
  type: string;
  /** Provider as in the plan, such as `registry.terraform.io/hashicorp/aws`; empty if unknown. */
  providerName: string;
  deposed: string | undefined;
  /** Actions in the plan's order: `["delete", "create"]` destroys first, `["create", "delete"]` last. */
  actions: readonly string[];
  actionReason: string | undefined;
  importing: boolean;
  /** Masked attributes of the whole resource; null if it doesn't exist. */
  before: Json;
  after: Json;
  replacePaths: readonly Path[];
  /** Differences leaf by leaf, in the order of the resource's attributes. */
  differences: readonly AttributeChange[];
}

/** A plan as the rules see it. */
export interface Plan {
  /** Parts that couldn't be read or are unexpected. */
  warnings: readonly string[];
  /** Whether planning failed, so that changes may be missing. */
  errored: boolean;
  /** Whether all changes and all drift could be read. */
  isWhole: boolean;
  terraformVersion: string | undefined;
  changes: readonly ResourceChange[];
  drift: readonly ResourceChange[];
  /** Number of unchanged resources removed from the plan before upload, including drift. */
  unchangedLeftOut?: number;
  /** Attributes whose drift influenced the plan: `<resource address> <path as JSON>`, path cut to its first step. */
  relevantAttributes: ReadonlySet<string>;
}

export const deletes = ({ actions }: ResourceChange): boolean => actions.includes("delete");
export const creates = ({ actions }: ResourceChange): boolean => actions.includes("create");
export const replaces = (change: ResourceChange): boolean => deletes(change) && creates(change);
/**
 * Returns whether a resource is deleted without a replacement. Deposed objects don't count, because their replacement
 * exists.
 */
export const goesForGood = (change: ResourceChange): boolean =>
  deletes(change) && !creates(change) && change.deposed === undefined;
export const forgets = ({ actions }: ResourceChange): boolean => actions.includes("forget");
/** Returns whether a resource is left unchanged. */
export const stays = ({ actions }: ResourceChange): boolean =>
  actions.every((action) => action === "no-op" || action === "read");
/** Returns whether a resource is updated; unknown actions count as updates. */
export const updates = (change: ResourceChange): boolean =>
  !stays(change) && !deletes(change) && !creates(change) && !forgets(change);

/** A change whose `differences` exclude noise. */
export interface MaterialChange extends ResourceChange {
  /** All differences as read, including noise. */
  allDifferences: readonly AttributeChange[];
}
