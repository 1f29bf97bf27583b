import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/values/json";

import { creates, deletes, replaces, type ResourceChange } from "../plan/model.ts";
import { familiarType, shownType } from "./familiar-type.ts";
import { leavesOf, type Leaf } from "../plan/leaves.ts";
import { openedTogether, type OpenedTogether } from "./opened-together.ts";
import type { Opening } from "./openings.ts";
import { isRevision } from "./types.ts";
import { shown } from "./values.ts";

/** A change as rules see it. */
export interface Subject {
  change: ResourceChange;
  /** Type as the tables name it; `resource` if the plan doesn't include one. */
  type: string;
  /**
   * Reference to the resource in messages: `it`, or `this PersistentVolumeClaim` if the address doesn't name the
   * kind.
   */
  what: string;
  leaves: readonly Leaf[];
  /** Whether the change was made outside code. */
  outside: boolean;
  /** Whether R01 reports something in the same plan. */
  besideDestroy: boolean;
  /** Ports that its rules open to the whole internet together with others. */
  openedTogether: readonly Opening[];
}

/** Context of a change. */
interface Circumstances {
  outside?: boolean;
  besideDestroy?: boolean;
  /** Openings together with other changes; if omitted, only its own rules count. */
  together?: OpenedTogether;
}

export function subjectOf(
  change: ResourceChange,
  { outside = false, besideDestroy = false, together = openedTogether([change]) }: Circumstances = {},
): Subject {
  return {
    change,
    type: familiarType(change),
    what: whatOf(change),
    leaves: leavesOf(change),
    outside,
    besideDestroy,
    openedTogether: together.get(change) ?? [],
  };
}

function whatOf(change: ResourceChange): string {
  const name = shownType(change);
  return name === change.type || change.type === "" ? "it" : `this ${shown(name)}`;
}

/** Returns whether a change only creates a new revision of an immutable resource. */
export function isNewRevision(change: ResourceChange): boolean {
  return replaces(change) && isRevision(familiarType(change));
}

/** Returns whether a change creates a resource that replaces none. */
export function isNew(change: ResourceChange): boolean {
  return creates(change) && !deletes(change);
}

/** A property on one side of a change, and its path. Properties with the same key are equal. */
export interface Trait {
  key: string;
  path: Path;
}

/** Returns the properties that exist after a change and didn't before. */
export function added<T extends Trait>(change: ResourceChange, traitsOf: (side: Json) => T[]): T[] {
  if (!isObject(change.after)) return [];
  const now = traitsOf(change.after);
  if (now.length === 0) return [];
  const were = new Set(traitsOf(change.before).map(({ key }) => key));
  return now.filter(({ key }) => !were.has(key));
}
