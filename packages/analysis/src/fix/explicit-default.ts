import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/json";

import { exampleOf } from "./example.ts";
import { bodyOf } from "./hcl/body.ts";
import { appendLines, endsLine, lineEndOf, type Edit } from "./hcl/edits.ts";
import { hclOf, literalOf } from "./hcl/literal.ts";
import type { Site } from "./locate.ts";
import { pathsOf, placesOf, type Place } from "./places.ts";
import { isWritable, sampleOf } from "./sample.ts";
import { already, cannot, changed, together, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Writes down what the provider fills in where the configuration leaves an attribute out. */
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
    `The configuration says what the provider fills in for ${code(noise.path_pattern)} anyway.`,
  risks: (noise) => [
    `${code(noise.path_pattern)} keeps this value though a later version of the provider may have another default.`,
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
    ? already(`${code(name)} is written out already`)
    : cannot(`${code(name)} is set to something else`);
}

/** Objects may be blocks, which are written differently. */
function isPlain(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => typeof item !== "object");
  return value !== null && typeof value !== "object";
}

const TAGS = new Set(["tags", "labels", "user_labels", "resource_labels"]);
/** Of these maps it is known that they are no blocks; ignored, nobody's tags would be kept in order any more. */
const isNoTags = (name: string, value: Json): boolean => TAGS.has(name) && isObject(value) && isEmpty(value);

const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** After the last attribute, where it is aligned with the others. */
function insertAttribute(text: string, block: Site["block"], line: string): Edit[] {
  const last = bodyOf(block.node).attributes.at(-1);
  const isInline = block.open.startPosition.row === block.close.startPosition.row;
  if (isInline) return appendLines(text, block, [line]);
  const end = last ? last.node.endIndex : block.open.endIndex;
  if (!endsLine(text, end)) return [{ start: end, end, text: lineEndOf(text) + line }];
  const at = text.indexOf("\n", end) + 1;
  return [{ start: at, end: at, text: line + lineEndOf(text) }];
}
