import { isDeepStrictEqual } from "node:util";

import type { NoiseClass, NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";
import type { Node } from "web-tree-sitter";

import { attributeOf, exampleOf } from "./example.ts";
import { lineEndOf, removeLines, type Edit } from "./hcl/edits.ts";
import { hclOf, innermost, itemsOf, literalOf } from "./hcl/literal.ts";
import type { Site } from "./locate.ts";
import { calledFunction, pathsOf, placesOf, valuesAt, type Place } from "./places.ts";
import { isWritable, sampleOf } from "./sample.ts";
import { already, cannot, changed, together, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Rewrites a value in the form that the provider returns, or makes Terraform convert it. */
export const normalizeValue: Template = {
  strategy: "normalize",
  // After the next upgrade the running version is outdated, and Terraform would downgrade to it.
  fits: (noise) => attributeOf(noise) !== "engine_version",
  apply: (site, noise) => {
    const outcomes = pathsOf(noise)
      .flatMap((path) => placesOf(site.block, path))
      .flatMap((place) => placeOutcomes(place, site, noise));
    return together(outcomes, `${code(site.block.labels.join("."))} doesn't set ${code(noise.path_pattern)}`);
  },
  explain: (noise) =>
    `${code(noise.path_pattern)} is written as the provider returns it, so that both sides are equal.`,
  risks: () => [
    "Terraform shows a change again if the provider returns another form, such as after an upgrade.",
  ],
  example: (noise) => {
    const isOfAll = isWritable(noise) && noise.sample.varies !== true;
    const known = isOfAll ? hclOf(sampleOf(noise).before) : "var.value";
    return exampleOf(noise, wrapperOf(noise)?.call("var.value", "") ?? known);
  },
};

function placeOutcomes({ attribute, steps, name }: Place, { file }: Site, noise: NoiseGroup): Outcome[] {
  const { before, after } = sampleOf(noise);
  if (attribute === undefined)
    return before === null ? [already(`${code(name)} is already left out, as the provider returns it`)] : [];
  const isRemoved = before === null && steps.length === 0 && isSame(literalOf(attribute.value), after);
  if (isRemoved) return [changed(file, [removeLines(file.text, spanOf(attribute.node))])];
  const values = valuesAt(attribute.value, steps);
  if (values.length === 0) return [cannot(`${code(name)} isn't a literal value`)];
  return values.map((value) => {
    if (steps.at(-1) === "*" && !mayDiffer(value, noise))
      return cannot(`it isn't known which values of ${code(name)} differ`);
    const outcome = valueEdits(value, noise, file.text);
    if (typeof outcome === "string") return cannot(`${code(name)} ${outcome}`);
    return outcome.length === 0
      ? already(`${code(name)} is already ${formOf(value, noise)}`)
      : changed(file, outcome);
  });
}

/** Returns the form that causes no change. It is known only for the value that was seen. */
function formOf(value: Node, noise: NoiseGroup): string {
  const wrapper = wrapperOf(noise);
  const isSeen = isDeepStrictEqual(literalOf(value), sampleOf(noise).before);
  return wrapper && !isSeen ? `as ${code(wrapper.name)} returns it` : "written as the provider returns it";
}

/**
 * Returns whether a value may be changed without matching the sample. List items are alike; map entries must match
 * it.
 */
function mayDiffer(value: Node, noise: NoiseGroup): boolean {
  if (value.parent?.type !== "object_elem") return true;
  const { before, after } = sampleOf(noise);
  const literal = literalOf(value);
  return isSame(literal, before) || isSame(literal, after);
}

const spanOf = ({ startIndex: start, endIndex: end }: Node): { start: number; end: number } => ({
  start,
  end,
});

/** Returns the edits to an expression: none if it is right already, or a reason in words why it can't be changed. */
function valueEdits(value: Node, noise: NoiseGroup, text: string): Edit[] | string {
  const { before, after } = sampleOf(noise);
  const literal = literalOf(value);
  const known = isWritable(noise);
  if (known && literal !== undefined) {
    if (isDeepStrictEqual(literal, before)) return [];
    const reordered = noise.class === "set_order" ? reorder(value, literal, before) : undefined;
    if (reordered) return reordered;
    const isInPlace = innermost(value).type !== "heredoc_template" && before !== null;
    if (isInPlace && isSame(literal, after)) return [{ ...spanOf(value), text: hclOf(before) }];
  }
  return known ? wrapped(value, wrapperOf(noise), lineEndOf(text)) : "differs in a value that can't be shown";
}

/** Compares a literal with a value; numbers and booleans may be written as strings. */
function isSame(literal: Json | undefined, value: Json): boolean {
  if (literal === undefined || isDeepStrictEqual(literal, value)) return literal !== undefined;
  return textOf(literal) !== undefined && textOf(literal) === textOf(value);
}

function textOf(value: Json): string | undefined {
  return typeof value === "object" ? undefined : String(value);
}

/** Swaps the items of a list; the text between them stays. */
function reorder(value: Node, literal: Json, before: Json): Edit[] | undefined {
  if (!Array.isArray(literal) || !Array.isArray(before) || literal.length !== before.length) return undefined;
  const items = itemsOf(innermost(value));
  const left = items.map((item, index) => ({ text: item.text, value: literal[index] }));
  const edits = before.map((wanted, index) => {
    const at = left.findIndex((item) => isDeepStrictEqual(item.value, wanted));
    const [taken] = at === -1 ? [] : left.splice(at, 1);
    const item = items[index];
    return taken && item && { ...spanOf(item), text: taken.text };
  });
  return edits.every((edit) => edit !== undefined) ? edits : undefined;
}

function wrapped(value: Node, wrapper: Wrapper | undefined, lineEnd: string): Edit[] | string {
  const literal = literalOf(value);
  if (wrapper === undefined)
    return literal === undefined
      ? "is set by an expression that no function makes equal"
      : "is set to a different value than in the plan";
  if (calledFunction(value) === wrapper.name || wrapper.isDone?.(value)) return [];
  const isHeredoc = innermost(value).type === "heredoc_template";
  if (typeof literal === "string" && !isHeredoc) {
    const made = wrapper.of(literal);
    return made === literal ? [] : [{ ...spanOf(value), text: hclOf(made) }];
  }
  // a heredoc ends with its line
  return [{ ...spanOf(value), text: wrapper.call(value.text, isHeredoc ? lineEnd : "") }];
}

/** A Terraform function that converts a value to the form that the provider returns. */
interface Wrapper {
  name: string;
  call: (expression: string, end: string) => string;
  /** Computes the function's result for a text. */
  of: (text: string) => string;
  isDone?: (value: Node) => boolean;
}

function wrapperOf(noise: NoiseGroup): Wrapper | undefined {
  return WRAPPERS[noise.class]?.(sampleOf(noise));
}

interface Sample {
  before: Json;
  after: Json;
}

const WRAPPERS: Readonly<Partial<Record<NoiseClass, (sample: Sample) => Wrapper | undefined>>> = {
  set_order: ({ before }) => (isSorted(before) ? functionOf("sort", (text) => text) : undefined),
  case_change: ({ before }) => {
    if (typeof before !== "string") return undefined;
    if (before === before.toLowerCase()) return functionOf("lower", (text) => text.toLowerCase());
    return before === before.toUpperCase() ? functionOf("upper", (text) => text.toUpperCase()) : undefined;
  },
  trailing_char: ({ before, after }) => {
    if (typeof before !== "string" || typeof after !== "string") return undefined;
    if (before === after.trim()) return functionOf("trimspace", (text) => text.trim());
    if (after.startsWith(before)) return withoutSuffix(after.slice(before.length));
    return before.startsWith(after) && before.trim() === before
      ? withSuffix(before.slice(after.length))
      : undefined;
  },
};

function isSorted(list: Json): boolean {
  if (!Array.isArray(list) || list.length < 2 || !list.every((item) => typeof item === "string"))
    return false;
  return list.every(
    (item, index) =>
      index === 0 || Buffer.compare(Buffer.from(list[index - 1] ?? ""), Buffer.from(item)) <= 0,
  );
}

const functionOf = (name: string, of: (text: string) => string): Wrapper => ({
  name,
  call: (expression, end) => `${name}(${expression}${end})`,
  of,
});

const withoutSuffix = (suffix: string): Wrapper => ({
  name: "trimsuffix",
  call: (expression, end) => `trimsuffix(${expression}${end}, ${hclOf(suffix)})`,
  of: (text) => (text.endsWith(suffix) ? text.slice(0, -suffix.length) : text),
});

const withSuffix = (suffix: string): Wrapper => ({
  name: "format",
  call: (expression, end) =>
    `format("%s%s", trimsuffix(${expression}${end}, ${hclOf(suffix)}), ${hclOf(suffix)})`,
  of: (text) => (text.endsWith(suffix) ? text : text + suffix),
  isDone: (value) => value.text.endsWith(`${suffix}"`),
});
