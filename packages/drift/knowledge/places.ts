import type { Member } from "./schema.ts";
import { wordsOf } from "./words.ts";

/** A member at any depth of a resource or block. */
export interface Place {
  /** Path as in a mapping: `[]` follows a list whose items are meant. */
  path: string;
  /** Names of the members on the path. */
  steps: readonly string[];
  words: readonly string[];
  member: Member;
  /** Whether the place is a value in each item of a list. */
  isEach: boolean;
}

const DEEPEST = 5;
/** Max number of places; no resource that Terraform manages has more members. */
const MOST = 4000;

/** Returns the places in an object, with those inside its objects and the items of its lists. */
export function placesIn(root: Member): Place[] {
  const found: Place[] = [];
  const enter = (member: Member, at: { path: string; steps: readonly string[]; isEach: boolean }): void => {
    if (at.steps.length >= DEEPEST) return;
    for (const [name, inner] of member.members?.() ?? []) {
      if (found.length >= MOST) return;
      const steps = [...at.steps, name];
      const path = at.path === "" ? name : `${at.path}.${name}`;
      found.push({ path, steps, words: wordsOf(path), member: inner, isEach: at.isEach });
      if (inner.kind === "object") enter(inner, { path, steps, isEach: at.isEach });
      const element = at.isEach ? undefined : itemOf(inner);
      if (element) enter(element, { path: `${path}[]`, steps, isEach: true });
    }
  };
  enter(root, { path: "", steps: [], isEach: false });
  return found;
}

/** Returns the object that a block stands for: the member itself, or an item of a list. */
export function objectOf(member: Member): Member | undefined {
  return member.kind === "object" ? member : itemOf(member);
}

/** Returns an item of a list of objects. */
export function itemOf(member: Member): Member | undefined {
  const element = member.kind === "list" ? member.element?.() : undefined;
  return element?.kind === "object" ? element : undefined;
}
