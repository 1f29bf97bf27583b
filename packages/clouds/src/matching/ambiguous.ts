import type { Crowd } from "./crowd.ts";
import type { Declared } from "./model.ts";
import type { Slots } from "./slots.ts";

/** The result of a matcher. */
interface Found {
  declared: readonly Declared[];
  /** Place of each declared resource's live one, 0 for none. */
  paired: Uint32Array;
  /** Places of live and declared resources that share a key. */
  candidates: readonly { live: number; declared: number }[];
  crowds: readonly Crowd[];
  slots: Slots;
}

/** Returns the ids of `Matcher.ambiguous`. */
export function ambiguousOf(found: Found): string[] {
  const { declared, paired, candidates, crowds, slots } = found;
  const isOpen = (one: number): boolean => paired[one] === 0 && declared[one]?.inline === false;
  const open = candidates.filter(({ declared: one }) => isOpen(one));
  const openCrowds = crowds.filter((crowd) => crowd.isSeen && crowd.declared.some(isOpen));
  if (open.length === 0 && openCrowds.length === 0) return [];

  const isFree = freeIn(found);
  const ambiguous = new Set<number>();
  for (const { live, declared: one } of open) if (isFree(live, slots.sourceOf(one))) ambiguous.add(one);
  for (const crowd of openCrowds) {
    const isAnyFree = crowd.finder(isFree);
    for (const one of crowd.declared)
      if (isOpen(one) && isAnyFree(slots.sourceOf(one), declared[one]?.region)) ambiguous.add(one);
  }
  return Array.from(ambiguous, (one) => declared[one]?.id ?? "");
}

/** Returns a check whether a live resource has no standalone declaration in a source. */
function freeIn({ declared, paired, slots }: Found): (live: number, source: number) => boolean {
  const taken = new Set<number>();
  for (const [one, live] of paired.entries())
    if (live !== 0 && declared[one]?.inline === false) taken.add(slots.slotAt(live, slots.sourceOf(one)));
  return (live, source) => !taken.has(slots.slotAt(live, source));
}
