import type { NoiseClass, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { isReadOnly } from "../plan/computed.ts";
import { removeRepeatedTags } from "./default-tags.ts";
import { encodeJson } from "./encode-json.ts";
import { explicitDefault } from "./explicit-default.ts";
import { ignoreChanges, ignoreStandalone } from "./ignore-changes.ts";
import { ignoreTags } from "./ignore-tags.ts";
import { normalizeValue } from "./normalize-value.ts";
import { staticTime } from "./static-time.ts";
import type { Template } from "./template.ts";
import { upgradeProvider } from "./upgrade-provider.ts";

/**
 * Templates by class of noise, narrowest change first. Policies are ignored only on request, because permissions
 * granted outside code would be missed. Computed attributes can't be ignored.
 */
export const TEMPLATES: Readonly<Record<NoiseClass, readonly [Template, ...Template[]]>> = {
  json_policy_normalization: [encodeJson],
  set_order: [normalizeValue, ignoreChanges],
  tags_all_default_tags: [removeRepeatedTags, ignoreChanges],
  external_tags: [ignoreTags, ignoreChanges],
  timestamp_value: [staticTime, ignoreChanges],
  computed_only: [upgradeProvider],
  case_change: [normalizeValue, ignoreChanges],
  trailing_char: [normalizeValue, ignoreChanges],
  number_string_bool: [normalizeValue, explicitDefault, ignoreChanges],
  default_materialized: [explicitDefault, ignoreChanges],
  autoscaler_owned: [ignoreChanges],
  ami_or_image_latest: [ignoreChanges],
  secret_rotation: [ignoreChanges],
  inline_vs_standalone: [ignoreStandalone],
  equivalent_value: [normalizeValue, ignoreChanges],
  provider_upgrade_churn: [upgradeProvider],
};

export type RequestedStrategy = "auto" | "normalize" | "ignore_changes" | "upgrade_provider";

/** Returns the templates to try in turn, at least one. Code can't change attributes that the provider computes. */
export function templatesFor(
  noise: NoiseGroup,
  strategy: RequestedStrategy,
): readonly [Template, ...Template[]] {
  if (isReadOnly(noise.resource_type, noise.path_pattern.split(".", 1).join(""))) return [upgradeProvider];
  const all = TEMPLATES[noise.class].filter(({ fits }) => fits?.(noise) ?? true);
  const [narrowest = ignoreChanges, ...wider] = all;
  if (strategy === "auto") return [narrowest, ...wider];
  if (strategy === "ignore_changes") return [all.find((one) => one.strategy === strategy) ?? ignoreChanges];
  if (strategy === "upgrade_provider") return [upgradeProvider];
  const [first, ...rest] = all.filter(
    (one) => one.strategy !== "ignore_changes" && one.strategy !== "upgrade_provider",
  );
  return first ? [first, ...rest] : [normalizeValue];
}
