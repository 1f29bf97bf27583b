import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";

import { pathsOf } from "./places.ts";

/** A resource that has nothing but the noise's attribute set to an expression, in the blocks, list or map that it is in. */
export function exampleOf(noise: NoiseGroup, expression: string): string {
  const path = pathsOf(noise)[0] ?? ["value"];
  return `resource "${noise.resource_type}" "example" {\n${setting(path, expression)}\n}\n`;
}

/** The last name of the path that the noise is at. */
export function attributeOf(noise: NoiseGroup): string {
  return pathsOf(noise)[0]?.findLast((step) => step !== "*") ?? "value";
}

function setting([name = "value", ...steps]: readonly string[], expression: string): string {
  const next = steps.findIndex((step) => step !== "*");
  if (next !== -1) return `${name} {\n${setting(steps.slice(next), expression)}\n}`;
  const value = steps.reduce((item) => (isMap(name) ? `{\nexample = ${item}\n}` : `[${item}]`), expression);
  return `${name} = ${value}`;
}

/** A plan tells no schema: what stands below these has a key, below others an index. */
const isMap = (name: string): boolean =>
  /^(?:tags(?:_all)?|\w*labels|annotations|metadata|triggers\w*|keepers|variables|parameters|\w*settings)$/.test(
    name,
  );
