import type { Leaf } from "./leaves.ts";

const COSMETIC = /(?:^|\.)(?:tags|tags_all|volume_tags|description)(?:\.|$)|^(?:tag|comment)(?:\.|$)/;
/** Labels of Kubernetes select, those of Google Cloud only tell; its tags are targets of firewalls. */
const COSMETIC_AT_GOOGLE =
  /^(?:labels|effective_labels|terraform_labels|user_labels|settings\.user_labels)(?:\.|$)|(?:^|\.)description$/;
/** What people call it; it isn't known by that. */
const CALLED = /^(?:display_name|title)$/;

/** Whether an attribute of a type is tags, labels or a description, and can be seen. */
export function isCosmetic(type: string, { name, hidden }: Leaf): boolean {
  return !hidden && (type.startsWith("google_") ? COSMETIC_AT_GOOGLE : COSMETIC).test(name);
}

/** Whether an attribute does more than to name and to describe. */
export function doesMore(type: string, leaf: Leaf): boolean {
  return !isCosmetic(type, leaf) && (leaf.hidden || !CALLED.test(leaf.name));
}
