import type { AttributeChange, Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/json";

/** One resource of a plan: a change that is to be made, or (`drift`) one that happened outside. */
export interface ResourceChange {
  address: string;
  previousAddress: string | undefined;
  moduleAddress: string | undefined;
  mode: "managed" | "data";
  type: string;
  /** As in the plan, such as `registry.terraform.io/hashicorp/aws`; empty when it doesn't say. */
  providerName: string;
  deposed: string | undefined;
  /** In the plan's order: `["delete", "create"]` destroys first, `["create", "delete"]` last. */
  actions: readonly string[];
  actionReason: string | undefined;
  importing: boolean;
  /** The whole resource, masked; null where it isn't there. */
  before: Json;
  after: Json;
  replacePaths: readonly Path[];
  /** Leaf by leaf, in the order of the resource's attributes. */
  differences: readonly AttributeChange[];
}

/** A plan as the rules see it. */
export interface Plan {
  /** What couldn't be read, and what isn't as expected. */
  warnings: readonly string[];
  /** Whether it failed: there is no telling what it left out. */
  errored: boolean;
  /** Whether all its changes, and all its drift, could be read. */
  isWhole: boolean;
  terraformVersion: string | undefined;
  changes: readonly ResourceChange[];
  drift: readonly ResourceChange[];
  /** How many that don't change were left out of the plan before it came, changes outside included. */
  unchangedLeftOut?: number;
  /** Attributes whose change outside influenced the plan: `<resource address> <path as JSON>`, path cut to its first step. */
  relevantAttributes: ReadonlySet<string>;
}

export const deletes = ({ actions }: ResourceChange): boolean => actions.includes("delete");
export const creates = ({ actions }: ResourceChange): boolean => actions.includes("create");
export const replaces = (change: ResourceChange): boolean => deletes(change) && creates(change);
/** Whether it goes for good, and no replacement took over before, as from a deposed object. */
export const goesForGood = (change: ResourceChange): boolean =>
  deletes(change) && !creates(change) && change.deposed === undefined;
export const forgets = ({ actions }: ResourceChange): boolean => actions.includes("forget");
/** Whether nothing is done to the resource. */
export const stays = ({ actions }: ResourceChange): boolean =>
  actions.every((action) => action === "no-op" || action === "read");
/** What nobody knows counts as an update. */
export const updates = (change: ResourceChange): boolean =>
  !stays(change) && !deletes(change) && !creates(change) && !forgets(change);

/** A difference that something is left of after noise was taken away, with the change that it belongs to. */
export interface MaterialChange extends ResourceChange {
  /** As read, noise included; `differences` are without it. */
  allDifferences: readonly AttributeChange[];
}
