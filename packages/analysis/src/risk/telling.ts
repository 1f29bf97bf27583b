import type { Leaf } from "./leaves.ts";

const COSMETIC = /(?:^|\.)description(?:\.|$)|^(?:tag|comment)(?:\.|$)/;
/** At AWS and Azure tags only tell. Elsewhere a list of them may say who may do what; each with a value of its own tells. */
const TAGS = /(?:^|\.)(?:tags|tags_all|volume_tags)(?:\.|$)/;
const TAGS_WITH_VALUES = /(?:^|\.)(?:tags|tags_all|volume_tags)\./;
const TAGS_TELL = /^(?:aws|awscc|azurerm|azapi|azuread|azurestack|azure-native)(?=[_\W])/;
/** Labels of Kubernetes select, those of Google Cloud only tell; its tags are targets of firewalls. */
const COSMETIC_AT_GOOGLE =
  /^(?:labels|effective_labels|terraform_labels|user_labels|settings\.user_labels)(?:\.|$)|(?:^|\.)description$/;
/** Below these, names are a program's own, or say what is meant. */
const SETTINGS =
  /(?:^|\.)(?:variables|environment_variables|app_settings|data|string_data|binary_data|metadata|parameters|body|filter|lifecycle_rule|condition)\./;
/** What people call it; it isn't known by that. */
const CALLED = /^(?:display_name|title)$/;

/** Whether an attribute of a type is tags, labels or a description, and can be seen. */
export function isCosmetic(type: string, { name, hidden }: Leaf): boolean {
  if (hidden || SETTINGS.test(name)) return false;
  if (type.startsWith("google_")) return COSMETIC_AT_GOOGLE.test(name);
  return COSMETIC.test(name) || (TAGS_TELL.test(type) ? TAGS : TAGS_WITH_VALUES).test(name);
}

/** Whether an attribute does more than to name and to describe. */
export function doesMore(type: string, leaf: Leaf): boolean {
  return !isCosmetic(type, leaf) && (leaf.hidden || !CALLED.test(leaf.name));
}
