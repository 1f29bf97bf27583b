import type { Leaf } from "../plan/leaves.ts";

const COSMETIC = /(?:^|\.)description(?:\.|$)|^(?:tag|comment)(?:\.|$)/;
/**
 * Tags of AWS and Azure are only descriptive. Elsewhere a tag list may control access, while tags with values are
 * descriptive.
 */
const TAGS = /(?:^|\.)(?:tags|tags_all|volume_tags)(?:\.|$)/;
const TAGS_WITH_VALUES = /(?:^|\.)(?:tags|tags_all|volume_tags)\./;
const DESCRIPTIVE_TAG_TYPES = /^(?:aws|awscc|azurerm|azapi|azuread|azurestack|azure-native)(?=[_\W])/;
/** Kubernetes labels select objects. Google Cloud labels are descriptive, but its tags are firewall targets. */
const COSMETIC_AT_GOOGLE =
  /^(?:labels|effective_labels|terraform_labels|user_labels|resource_labels|settings\.user_labels)(?:\.|$)|(?:^|\.)description$/;
/** Attributes below which names belong to a program, or are descriptive. */
const SETTINGS =
  /(?:^|\.)(?:variables|environment_variables|app_settings|data|string_data|binary_data|metadata(?!\.labels\.)|parameters|body|filter|lifecycle_rule|condition)\./;
/** Labels that name the owner of a Kubernetes object; other labels may select something. */
const COSMETIC_AT_KUBERNETES =
  /^(?:manifest\.)?metadata\.labels\.(?:team|owner|contact|maintainer|department|cost[-_]?cent(?:er|re))$/;
/** Display names, which aren't identifiers. */
const DISPLAY_NAME = /^(?:display_name|title)$/;

/** Settings of a policy's dry run. */
const DRY_RUN = /^dry_run/;

/** Returns whether an attribute is a program's setting, such as an environment variable. */
export function isSetting(name: string): boolean {
  return SETTINGS.test(name);
}

/** Returns whether an attribute of a type is a visible tag, label or description. */
export function isCosmetic(type: string, { name, hidden }: Leaf): boolean {
  if (hidden || isSetting(name)) return false;
  if (type.startsWith("google_")) return isCosmeticAtGoogle(type, name);
  if (type.startsWith("kubernetes_") && COSMETIC_AT_KUBERNETES.test(name)) return true;
  return COSMETIC.test(name) || (DESCRIPTIVE_TAG_TYPES.test(type) ? TAGS : TAGS_WITH_VALUES).test(name);
}

function isCosmeticAtGoogle(type: string, name: string): boolean {
  return (
    COSMETIC_AT_GOOGLE.test(name) || DISPLAY_NAME.test(name) || (type === "google_project" && name === "name")
  );
}

/** Returns whether an attribute does more than name or describe. */
export function isEffective(type: string, leaf: Leaf): boolean {
  return (
    !isCosmetic(type, leaf) && (leaf.hidden || !(DISPLAY_NAME.test(leaf.name) || DRY_RUN.test(leaf.name)))
  );
}
