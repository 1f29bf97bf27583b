import type { NoiseClass, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";

import { byAddress } from "../plan/by-address.ts";
import { isReadOnly } from "../plan/computed.ts";
import { pathKey } from "../plan/path-keys.ts";
import { canonicalJson } from "../plan/canonical-json.ts";
import { isFixable } from "./classes.ts";
import { leafOf } from "./detector.ts";
import type { Noise } from "./noise-in.ts";
import { tagChanges } from "./rules/tags.ts";

/** Maximum length of a displayed sample, in characters. */
const LONGEST_SAMPLE = 500;
const MAX_KEYS = 50;

/**
 * Groups noise by kind, in the order of fingerprints; `hidden` selects noise left out of the findings. A group is
 * hidden if all its members are, and has their lowest confidence.
 */
export function groupNoise(
  noise: readonly Noise[],
  hidden: (noise: Noise) => boolean,
  muted: readonly string[] = [],
): NoiseGroup[] {
  const groups = Map.groupBy(noise, ({ fingerprint }) => fingerprint);
  return [...groups]
    .map(([fingerprint, group]) => ({
      ...toGroup(
        group.toSorted((a, b) => byAddress(a.change.address, b.change.address)),
        hidden,
      ),
      ...(muted.includes(fingerprint) && { muted: true }),
    }))
    .toSorted((a, b) => compare(a.fingerprint, b.fingerprint));
}

function toGroup(group: readonly Noise[], hidden: (noise: Noise) => boolean): NoiseGroup {
  const [first] = group;
  if (!first) throw new Error("a group of noise is never empty");
  const addresses = [...new Set(group.map(({ change }) => change.address))];
  const keys = TAGGED.has(first.class) ? keysOf(group) : [];
  // Prefers planned changes. Drift is the sample only if the plan doesn't change it.
  const { source, sample } = group.find((one) => one.source === "change") ?? first;
  const varies = group.some((one) => one.varies) || new Set(group.map(valuesOf)).size > 1;
  return {
    fingerprint: first.fingerprint,
    class: first.class,
    title: first.title,
    resource_type: first.change.type,
    provider_name: first.change.providerName,
    path_pattern: first.pathPattern,
    confidence: Math.min(...group.map(({ confidence }) => confidence)),
    hidden: group.every(hidden),
    addresses,
    count: addresses.length,
    fix_available: isFixable(first.class) && !isReadOnly(first.change.type, firstName(first.pathPattern)),
    ...(keys.length > 0 && { keys }),
    sample: {
      before: shorten(sample.before),
      after: shorten(sample.after),
      ...(source === "drift" && { outside: true }),
      ...(varies && { varies }),
    },
  };
}

function firstName(pathPattern: string): string {
  return pathPattern.split(".", 1).join("");
}

/** Classes that may concern single tags; other classes leave a resource's tags as declared. */
const TAGGED: ReadonlySet<NoiseClass> = new Set([
  "external_tags",
  "tags_all_default_tags",
  "timestamp_value",
]);

/** Returns the names of the tags that differ. If a resource had no tags before, the whole map differs. */
function keysOf(group: readonly Noise[]): string[] {
  const names = group.flatMap(({ change, paths }) => {
    const explained = new Set(paths.map(pathKey));
    return change.differences
      .filter(({ path }) => explained.has(pathKey(path)))
      .flatMap((difference) => tagChanges(leafOf(difference)).map(({ key }) => key));
  });
  return [...new Set(names)].toSorted().slice(0, MAX_KEYS);
}

/** Returns the cloud's value and the declared one, in this order. */
function valuesOf({ source, sample: { before, after } }: Noise): string {
  return canonicalJson(source === "drift" ? [after, before] : [before, after]);
}

/** Converts a long value to truncated text. */
function shorten(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE)}…` : value;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
