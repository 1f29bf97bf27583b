import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";

/** What makes a kind of noise, and how it is stopped: the narrowest change first. */
export interface NoiseText {
  cause: string;
  stop: string;
}

export const NOISE_TEXTS: Readonly<Record<NoiseClass, NoiseText>> = {
  json_policy_normalization: {
    cause: "The same policy is written in another order or form.",
    stop: "Write the policy with `jsonencode` or as a policy document, in the order in which the cloud returns it.",
  },
  set_order: {
    cause: "The same items come in another order.",
    stop: "Sort the list, or make it a set.",
  },
  tags_all_default_tags: {
    cause: "Tags of the provider's default tags are set once more on the resource.",
    stop: "Take the tags that are also default tags out of the resource.",
  },
  external_tags: {
    cause: "Another system tags the resource.",
    stop: "Name the tags' prefix in the provider's `ignore_tags`.",
  },
  timestamp_value: {
    cause: "A value is made of the time of the run.",
    stop: "Use `time_static`, or take the time out of the value.",
  },
  computed_only: {
    cause: "Only what the provider computes differs.",
    stop: "Upgrade or pin the provider.",
  },
  case_change: {
    cause: "Only the case of letters differs.",
    stop: "Write the value as the cloud returns it, mostly in lower case.",
  },
  trailing_char: {
    cause: "Only a character at the end differs.",
    stop: "Write the value as the cloud returns it, with `trimsuffix` or `trimspace`.",
  },
  number_string_bool: {
    cause: "The same value is written in another type, or empty instead of absent.",
    stop: "Write the value in the type that the provider expects, and leave out what is empty.",
  },
  default_materialized: {
    cause: "The provider fills in its default.",
    stop: "Write the default explicitly.",
  },
  autoscaler_owned: {
    cause: "A scaler owns the value.",
    stop: "Leave the value to it with `ignore_changes` on this attribute alone.",
  },
  ami_or_image_latest: {
    cause: "An image is looked up anew at each run.",
    stop: "Pin the image, and change it when you mean to.",
  },
  secret_rotation: {
    cause: "A secret is rotated outside of the code.",
    stop: "Use a write-only argument, or `ignore_changes` on this attribute alone.",
  },
  inline_vs_standalone: {
    cause: "The same rules are declared inside the resource and as resources of their own.",
    stop: "Choose one of the two ways, and remove the other.",
  },
  equivalent_value: {
    cause: "The same value is written in another form.",
    stop: "Write the value in the form that the cloud returns.",
  },
  provider_upgrade_churn: {
    cause: "A new version of the provider reads the same attribute otherwise.",
    stop: "Apply once, and pin the provider's version.",
  },
};
