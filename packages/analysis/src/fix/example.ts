import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { pathsOf } from "./places.ts";

/**
 * Builds a resource that sets only the noisy attribute to an expression, inside the blocks, list or map of its path.
 */
export function exampleOf(noise: NoiseGroup, expression: string): string {
  const path = pathsOf(noise)[0] ?? ["value"];
  return `resource "${noise.resource_type}" "example" {\n${setting(path, expression)}\n}\n`;
}

/** Returns the last name in the noise's path. */
export function attributeOf(noise: NoiseGroup): string {
  return pathsOf(noise)[0]?.findLast((step) => step !== "*") ?? "value";
}

function setting([name = "value", ...steps]: readonly string[], expression: string): string {
  const next = steps.findIndex((step) => step !== "*");
  if (next !== -1) return `${name} {\n${setting(steps.slice(next), expression)}\n}`;
  const value = steps.reduce((item) => (isMap(name) ? `{\nexample = ${item}\n}` : `[${item}]`), expression);
  return `${name} = ${value}`;
}

/**
 * Guesses whether a name is a map, because plans have no schema. Below a map the path continues with a key, elsewhere
 * with an index.
 */
const isMap = (name: string): boolean =>
  /^(?:tags(?:_all)?|\w*labels|annotations|metadata|triggers\w*|keepers|variables|parameters|\w*settings)$/.test(
    name,
  );
