import type { NoiseClass, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/json";

import { byAddress } from "../plan/by-address.ts";
import { pathKey } from "../plan/path-keys.ts";
import { canonicalJson } from "./canonical-json.ts";
import { isFixable } from "./classes.ts";
import { leafOf } from "./detector.ts";
import type { Noise } from "./noise-in.ts";
import { tagChanges } from "./rules/tags.ts";

/** Characters of a sample that is shown. */
const LONGEST_SAMPLE = 500;
const MOST_KEYS = 50;

/**
 * Noise by kind, in the order of their fingerprints; `hidden` tells what is left out of the findings. A group is
 * hidden when all of it is, and as sure as the least sure of it.
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
  // A plan tells what it would change; what was changed outside is told where it changes nothing.
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
    count: group.length,
    fix_available: isFixable(first.class),
    ...(keys.length > 0 && { keys }),
    sample: {
      before: shorten(sample.before),
      after: shorten(sample.after),
      ...(source === "drift" && { outside: true }),
      ...(varies && { varies }),
    },
  };
}

/** May be of single tags; all others of a resource are as they are declared. */
const TAGGED: ReadonlySet<NoiseClass> = new Set([
  "external_tags",
  "tags_all_default_tags",
  "timestamp_value",
]);

/** The tags that differ, by name; where a resource had none before, the whole map does. */
function keysOf(group: readonly Noise[]): string[] {
  const names = group.flatMap(({ change, paths }) => {
    const explained = new Set(paths.map(pathKey));
    return change.differences
      .filter(({ path }) => explained.has(pathKey(path)))
      .flatMap((difference) => tagChanges(leafOf(difference)).map(({ key }) => key));
  });
  return [...new Set(names)].toSorted().slice(0, MOST_KEYS);
}

/** What the cloud has and what is declared, in this order. */
function valuesOf({ source, sample: { before, after } }: Noise): string {
  return canonicalJson(source === "drift" ? [after, before] : [before, after]);
}

/** What is too long is told as text, cut. */
function shorten(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_SAMPLE ? `${text.slice(0, LONGEST_SAMPLE)}…` : value;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
