import type { NoiseClass } from "@leeway/shared/contracts/analyzer/analysis";

/** What a class of noise is, in words. */
export interface NoiseWords {
  title: string;
  explanation: string;
}

export const CLASS_WORDS: Readonly<Record<NoiseClass, NoiseWords>> = {
  json_policy_normalization: {
    title: "The same JSON, written differently",
    explanation:
      "Both documents mean the same: they differ in layout, in order, or in how single values are written.",
  },
  set_order: {
    title: "The same items in another order",
    explanation: "The provider returns this list in an order of its own, and its order has no meaning.",
  },
  tags_all_default_tags: {
    title: "Tags that the provider's default tags already set",
    explanation:
      "The tags that the resource ends up with come from default_tags too; the resource's own tags are unchanged or repeat them.",
  },
  external_tags: {
    title: "Tags that the cloud or a controller sets",
    explanation: "These tag keys are owned by the cloud itself or by a controller, not by the configuration.",
  },
  timestamp_value: {
    title: "A time that is new in each plan",
    explanation: "The value is the time of the run, as timestamp() gives it, so that no plan is ever empty.",
  },
  computed_only: {
    title: "Only computed attributes differ",
    explanation:
      "No configured attribute changes: only values that the provider or the cloud keeps by itself.",
  },
  case_change: {
    title: "Differs in case only",
    explanation: "The cloud treats upper and lower case as the same here and returns its own spelling.",
  },
  trailing_char: {
    title: "Differs in a trailing character only",
    explanation:
      "A dot, slash or white space at the end has no meaning here; the cloud adds it or takes it away.",
  },
  number_string_bool: {
    title: "The same value as another type, or empty instead of absent",
    explanation: "A number or switch is written as text, or something empty stands for something absent.",
  },
  default_materialized: {
    title: "A default that was written out",
    explanation: "The configuration leaves the attribute out and the provider fills in its default.",
  },
  autoscaler_owned: {
    title: "Capacity that an autoscaler sets",
    explanation: "An autoscaler changes this number while it runs; each plan wants to set it back.",
  },
  ami_or_image_latest: {
    title: "A newer image of the same kind",
    explanation: "The image is looked up as the most recent one, so that each new release shows as a change.",
  },
  secret_rotation: {
    title: "A secret that was rotated outside",
    explanation: "The secret was changed by something else than the configuration, such as a rotation.",
  },
  inline_vs_standalone: {
    title: "The same thing declared inline and as a resource of its own",
    explanation:
      "Separate resources of this plan manage what the block of this resource lists too; they take turns.",
  },
  equivalent_value: {
    title: "Another spelling of the same value",
    explanation:
      "Both values mean the same: a network, a duration, an identifier or an encoding in another form.",
  },
  provider_upgrade_churn: {
    title: "The same new attribute on many resources",
    explanation:
      "Many resources of a type get the same value for an attribute they had none for, as after a provider upgrade.",
  },
};

/** Classes with a fix by template. Of the others the cause is in the provider, or two resources must become one. */
export const FIXABLE_CLASSES: ReadonlySet<NoiseClass> = new Set([
  "json_policy_normalization",
  "set_order",
  "tags_all_default_tags",
  "external_tags",
  "timestamp_value",
  "case_change",
  "trailing_char",
  "number_string_bool",
  "default_materialized",
  "autoscaler_owned",
  "ami_or_image_latest",
  "secret_rotation",
]);
