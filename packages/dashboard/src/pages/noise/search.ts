import { given, oneOf } from "../search.ts";

export const STATUSES = ["active", "muted", "fixed"] as const;
export const CLASSES = [
  "json_policy_normalization",
  "set_order",
  "tags_all_default_tags",
  "external_tags",
  "timestamp_value",
  "computed_only",
  "case_change",
  "trailing_char",
  "number_string_bool",
  "default_materialized",
  "autoscaler_owned",
  "ami_or_image_latest",
  "secret_rotation",
  "inline_vs_standalone",
  "equivalent_value",
  "provider_upgrade_churn",
] as const;

/** The filters of the list of noise. */
export function noiseSearch(search: Record<string, unknown>) {
  return given({ class: oneOf(CLASSES, search["class"]), status: oneOf(STATUSES, search["status"]) });
}
