import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";

/** Texts of a noise class: its name, its cause, and the narrowest change that stops it. */
interface NoiseWords {
  title: string;
  cause: string;
  stop: string;
}

export const CLASS_WORDS: Readonly<Record<NoiseClass, NoiseWords>> = {
  json_policy_normalization: {
    title: "The same policy, written differently",
    cause: "The policy has the same meaning in another order or form.",
    stop: "Write the policy with `jsonencode` or a policy document, in the order that the cloud returns.",
  },
  set_order: {
    title: "The same items in another order",
    cause: "The provider returns the same items in another order.",
    stop: "Sort the list, or make it a set.",
  },
  tags_all_default_tags: {
    title: "Tags that the provider's default tags already set",
    cause: "The resource sets tags that are also in the provider's `default_tags`.",
    stop: "Remove these tags from the resource.",
  },
  external_tags: {
    title: "Tags that the cloud or a controller sets",
    cause: "Another system tags the resource.",
    stop: "Ignore these tags with `ignore_tags` of the AWS provider, or with `ignore_changes`.",
  },
  timestamp_value: {
    title: "A time that is new in each plan",
    cause: "The value contains the time of the run.",
    stop: "Use `time_static`, or remove the time from the value.",
  },
  computed_only: {
    title: "Only computed attributes differ",
    cause: "Only attributes that the provider computes differ.",
    stop: "Upgrade or pin the provider.",
  },
  case_change: {
    title: "Only upper and lower case differ",
    cause: "Only upper and lower case differ.",
    stop: "Write the value as the cloud returns it, usually in lower case.",
  },
  trailing_char: {
    title: "Only a trailing character differs",
    cause: "Only a character at the end differs.",
    stop: "Write the value as the cloud returns it, with `trimsuffix` or `trimspace`.",
  },
  number_string_bool: {
    title: "The same value in another type, or empty instead of absent",
    cause: "The value has another type, or is empty instead of absent.",
    stop: "Write the value in the type that the provider expects, and leave out empty values.",
  },
  default_materialized: {
    title: "A default that the provider fills in",
    cause: "The provider fills in its default.",
    stop: "Write the default explicitly.",
  },
  autoscaler_owned: {
    title: "Capacity that an autoscaler sets",
    cause: "An autoscaler sets the value.",
    stop: "Ignore this attribute with `ignore_changes`.",
  },
  ami_or_image_latest: {
    title: "A newer image of the same family",
    cause: "Each run looks up the latest image.",
    stop: "Pin the image, and update it deliberately.",
  },
  secret_rotation: {
    title: "A secret that is rotated outside code",
    cause: "The secret is rotated outside code.",
    stop: "Use a write-only argument, or ignore this attribute with `ignore_changes`.",
  },
  inline_vs_standalone: {
    title: "The same rules inline and as separate resources",
    cause: "The rules are declared inside the resource and as separate resources.",
    stop: "Choose one of the two, and remove the other.",
  },
  equivalent_value: {
    title: "Another spelling of the same value",
    cause: "The same value is written in another form.",
    stop: "Write the value in the form that the cloud returns.",
  },
  provider_upgrade_churn: {
    title: "The same new attribute on many resources",
    cause: "A new provider version reads this attribute differently.",
    stop: "Apply once, and pin the provider version.",
  },
};

/** Classes that the provider causes, so no code change stops them. */
const UNFIXABLE: ReadonlySet<NoiseClass> = new Set(["computed_only", "provider_upgrade_churn"]);

/** Returns whether a code change can stop a class of noise. */
export const isFixable = (noiseClass: NoiseClass): boolean => !UNFIXABLE.has(noiseClass);
