import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/values/json";

import { exampleOf } from "./example.ts";
import { bodyOf } from "./hcl/body.ts";
import { appendLines, endsLine, lineEndOf, type Edit } from "./hcl/edits.ts";
import { hclOf, literalOf } from "./hcl/literal.ts";
import type { Site } from "./locate.ts";
import { pathsOf, placesOf, type Place } from "./places.ts";
import { isWritable, sampleOf } from "./sample.ts";
import { already, cannot, changed, together, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Writes the provider's default explicitly where the configuration omits the attribute. */
export const explicitDefault: Template = {
  strategy: "explicit_default",
  apply: (site, noise) => {
    const places = pathsOf(noise).flatMap((path) => placesOf(site.block, path));
    return together(
      places.map((place) => write(place, site, noise)),
      `${code(noise.path_pattern)} can't be named in a configuration`,
    );
  },
  explain: (noise) =>
    `The configuration sets ${code(noise.path_pattern)} to the default that the provider fills in.`,
  risks: (noise) => [
    `${code(noise.path_pattern)} keeps this value, even if a later provider version changes the default.`,
  ],
  example: (noise) => exampleOf(noise, isWritable(noise) ? hclOf(sampleOf(noise).before) : "var.value"),
};

function write({ block, name, attribute, steps }: Place, { file }: Site, noise: NoiseGroup): Outcome {
  const { before, after } = sampleOf(noise);
  const isKnown = isWritable(noise) && (isPlain(before) || isNoTags(name, before));
  if (steps.length > 0 || !isKnown || !isEmpty(after))
    return cannot(`the default of ${code(noise.path_pattern)} isn't known`);
  const line = `${name} = ${hclOf(before)}`;
  if (attribute === undefined) return changed(file, insertAttribute(file.text, block, line));
  const literal = literalOf(attribute.value);
  if (literal === null) {
    const { startIndex: start, endIndex: end } = attribute.value;
    return changed(file, [{ start, end, text: hclOf(before) }]);
  }
  return JSON.stringify(literal) === JSON.stringify(before)
    ? already(`${code(name)} is already written out`)
    : cannot(`${code(name)} is set to another value`);
}

/** Rejects objects, because they may be blocks, which have another syntax. */
function isPlain(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => typeof item !== "object");
  return value !== null && typeof value !== "object";
}

const TAGS = new Set(["tags", "labels", "user_labels", "resource_labels"]);
/** Checks for an empty tag map, which is known not to be a block. Ignoring it instead would hide every tag change. */
const isNoTags = (name: string, value: Json): boolean => TAGS.has(name) && isObject(value) && isEmpty(value);

const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** Inserts a line after the last attribute, so that it is aligned with the others. */
function insertAttribute(text: string, block: Site["block"], line: string): Edit[] {
  const last = bodyOf(block.node).attributes.at(-1);
  const isInline = block.open.startPosition.row === block.close.startPosition.row;
  if (isInline) return appendLines(text, block, [line]);
  const end = last ? last.node.endIndex : block.open.endIndex;
  if (!endsLine(text, end)) return [{ start: end, end, text: lineEndOf(text) + line }];
  const at = text.indexOf("\n", end) + 1;
  return [{ start: at, end: at, text: line + lineEndOf(text) }];
}
