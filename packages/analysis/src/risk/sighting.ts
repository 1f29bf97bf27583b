import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/json";

import { deletes, replaces, type ResourceChange } from "../plan/model.ts";
import { familiarType, shownType } from "./familiar-type.ts";
import { leavesOf, nameOf, type Leaf } from "./leaves.ts";
import { openedTogether, type OpenedTogether } from "./opened-together.ts";
import type { Opening } from "./openings.ts";
import { isRevision } from "./types.ts";
import type { VerdictName } from "./verdicts.ts";

/** A change as rules see it. */
export interface Subject {
  change: ResourceChange;
  /** As tables name it; `resource` when the plan doesn't say. */
  type: string;
  /** As people call it. */
  shown: string;
  leaves: readonly Leaf[];
  /** Whether it was made outside of the tool. */
  outside: boolean;
  /** Whether R01 speaks of something in the same plan. */
  besideDestroy: boolean;
  /** What its rules open to the whole internet together with others. */
  openedTogether: readonly Opening[];
}

/** What a rule says of a change. */
export interface Sighting {
  verdict: VerdictName;
  paths: Path[];
  message: string;
}

/** Never fails, and names no value of the change: at most attributes, types and what the rule itself is about. */
export type Rule = (subject: Subject) => Sighting[];

/** What is known of a change beside itself. */
interface Circumstances {
  outside?: boolean;
  besideDestroy?: boolean;
  /** By its own rules alone where this is left out. */
  together?: OpenedTogether;
}

export function subjectOf(
  change: ResourceChange,
  { outside = false, besideDestroy = false, together = openedTogether([change]) }: Circumstances = {},
): Subject {
  return {
    change,
    type: familiarType(change),
    shown: shownType(change),
    leaves: leavesOf(change),
    outside,
    besideDestroy,
    openedTogether: together.get(change) ?? [],
  };
}

/** Whether a change only has a new one of what is never changed take the place of the one before. */
export function isNewRevision(change: ResourceChange): boolean {
  return replaces(change) && isRevision(familiarType(change));
}

/** `Destroying` or `Replacing`, and what. */
export function destroying({ change, shown, outside }: Subject): string {
  const what = `this ${shown}`;
  if (outside) return `The deletion of ${what} outside of the tool`;
  return `${replaces(change) ? "Replacing" : "Destroying"} ${what}`;
}

/** Which attributes force a replacement, for the end of a sentence. */
export function forcedBy(change: ResourceChange): string {
  const [first, ...others] = [...new Set(change.replacePaths.map(nameOf).filter(Boolean))];
  if (!deletes(change) || first === undefined) return "";
  return `; ${listing([first, ...others])} ${others.length > 0 ? "force" : "forces"} it`;
}

/** The names of attributes at paths, as a list in a sentence. */
export function attributesAt(paths: readonly Path[]): string {
  return listing([...new Set(paths.map(nameOf).filter(Boolean))]);
}

const MOST_LISTED = 3;
const LONGEST_NAME = 100;

function listing(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map((name) => name.slice(0, LONGEST_NAME));
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  if (all.length < 2) return all.join("");
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** Something on one side of a change, and where. Two with the same key are the same thing. */
export interface Trait {
  key: string;
  path: Path;
}

/** What is on the side after a change and was not on the side before. */
export function added<T extends Trait>(change: ResourceChange, traitsOf: (side: Json) => T[]): T[] {
  if (!isObject(change.after)) return [];
  const now = traitsOf(change.after);
  if (now.length === 0) return [];
  const were = new Set(traitsOf(change.before).map(({ key }) => key));
  return now.filter(({ key }) => !were.has(key));
}
