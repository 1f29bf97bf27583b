import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";

/** A class of noise in words: what it is, what makes it, and how it is stopped, the narrowest change first. */
interface NoiseWords {
  title: string;
  cause: string;
  stop: string;
}

export const CLASS_WORDS: Readonly<Record<NoiseClass, NoiseWords>> = {
  json_policy_normalization: {
    title: "The same JSON, written differently",
    cause: "The same policy is written in another order or form.",
    stop: "Write the policy with `jsonencode` or as a policy document, in the order in which the cloud returns it.",
  },
  set_order: {
    title: "The same items in another order",
    cause: "The same items come in another order.",
    stop: "Sort the list, or make it a set.",
  },
  tags_all_default_tags: {
    title: "Tags that the provider's default tags already set",
    cause: "Tags of the provider's default tags are set once more on the resource.",
    stop: "Take the tags that are also default tags out of the resource.",
  },
  external_tags: {
    title: "Tags that the cloud or a controller sets",
    cause: "Another system tags the resource.",
    stop: "Leave the tags to it: by the AWS provider's `ignore_tags`, elsewhere by `ignore_changes` on these tags alone.",
  },
  timestamp_value: {
    title: "A time that is new in each plan",
    cause: "A value is made of the time of the run.",
    stop: "Use `time_static`, or take the time out of the value.",
  },
  computed_only: {
    title: "Only computed attributes differ",
    cause: "Only what the provider computes differs.",
    stop: "Upgrade or pin the provider.",
  },
  case_change: {
    title: "Differs in case only",
    cause: "Only the case of letters differs.",
    stop: "Write the value as the cloud returns it, mostly in lower case.",
  },
  trailing_char: {
    title: "Differs in a trailing character only",
    cause: "Only a character at the end differs.",
    stop: "Write the value as the cloud returns it, with `trimsuffix` or `trimspace`.",
  },
  number_string_bool: {
    title: "The same value as another type, or empty instead of absent",
    cause: "The same value is written in another type, or empty instead of absent.",
    stop: "Write the value in the type that the provider expects, and leave out what is empty.",
  },
  default_materialized: {
    title: "A default that was written out",
    cause: "The provider fills in its default.",
    stop: "Write the default explicitly.",
  },
  autoscaler_owned: {
    title: "Capacity that an autoscaler sets",
    cause: "A scaler owns the value.",
    stop: "Leave the value to it with `ignore_changes` on this attribute alone.",
  },
  ami_or_image_latest: {
    title: "A newer image of the same kind",
    cause: "An image is looked up anew at each run.",
    stop: "Pin the image, and change it when you mean to.",
  },
  secret_rotation: {
    title: "A secret that was rotated outside",
    cause: "A secret is rotated outside of the code.",
    stop: "Use a write-only argument, or `ignore_changes` on this attribute alone.",
  },
  inline_vs_standalone: {
    title: "The same thing declared inline and as a resource of its own",
    cause: "The same rules are declared inside the resource and as resources of their own.",
    stop: "Choose one of the two ways, and remove the other.",
  },
  equivalent_value: {
    title: "Another spelling of the same value",
    cause: "The same value is written in another form.",
    stop: "Write the value in the form that the cloud returns.",
  },
  provider_upgrade_churn: {
    title: "The same new attribute on many resources",
    cause: "A new version of the provider reads the same attribute otherwise.",
    stop: "Apply once, and pin the provider's version.",
  },
};

/** Nothing in the code stops these: their cause is in the provider. */
const UNFIXABLE: ReadonlySet<NoiseClass> = new Set(["computed_only", "provider_upgrade_churn"]);

/** Whether a change of the code can stop a class of noise. */
export const isFixable = (noiseClass: NoiseClass): boolean => !UNFIXABLE.has(noiseClass);
