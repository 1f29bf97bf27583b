import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { hclString } from "@leeway/shared/values/hcl-string";

import { attributeNamed, blocksNamed, bodyOf, isDynamic, type Block } from "./hcl/body.ts";
import { appendLines, type Edit } from "./hcl/edits.ts";
import { innermost, itemsOf } from "./hcl/literal.ts";
import { addItems } from "./hcl/members.ts";
import { isListBlock } from "./list-blocks.ts";
import type { Site } from "./locate.ts";
import { pathsOf } from "./places.ts";
import { already, cannot, changed, type Outcome, type Template } from "./template.ts";
import { code, list } from "./phrases.ts";

/** Ignores an attribute that something else sets, by the narrowest path that a configuration can name. */
export const ignoreChanges: Template = {
  strategy: "ignore_changes",
  apply: (site, noise) => ignore(site, noise),
  explain: (noise) =>
    `Terraform no longer compares ${list(namesOf(noise).map(code))}, because of ${code("ignore_changes")}.`,
  risks: (noise) => [
    `Terraform no longer reverts manual changes to ${list(namesOf(noise).map(code))}, and changes to it in code no longer reach existing resources.`,
  ],
  example: (noise) =>
    `resource "${noise.resource_type}" "example" {\n  # ...\n\n  lifecycle {\n    ignore_changes = [${namesOf(noise).join(", ")}]\n  }\n}\n`,
};

/** Applies only if the configuration has nothing inline that would be ignored, too. */
export const ignoreStandalone: Template = {
  ...ignoreChanges,
  apply: (site, noise) => {
    const body = bodyOf(site.block.node);
    const inline = pathsOf(noise).find(
      ([name = ""]) => attributeNamed(body, name) ?? blocksNamed(body, name).length > 0,
    );
    return inline === undefined
      ? ignore(site, noise)
      : cannot(
          `${code(site.block.labels.join("."))} declares ${code(inline[0] ?? "")} inline, and other resources declare the same: keep one of the two styles`,
        );
  },
};

/** Returns paths that hold without the configuration. Indices depend on it, so paths stop before them. */
function namesOf(noise: NoiseGroup): string[] {
  const names = pathsOf(noise).map((path) => listPath(noise.resource_type, path) ?? path[0] ?? "");
  return [...new Set(names.flatMap((name) => withKeys(name, noise)))];
}

/** Descends to the attribute, as long as each block on the way is a list. */
function listPath(type: string, [name = "", star, ...rest]: readonly string[]): string | undefined {
  if (star !== "*" || rest.length === 0) return name;
  const inner = isListBlock(type, name) ? listPath(type, rest) : undefined;
  return inner && `${name}[0].${inner}`;
}

function ignore({ file, block }: Site, noise: NoiseGroup): Outcome {
  const paths = pathsOf(noise);
  const narrowest = paths.map((path) => narrowestPath(block, noise.resource_type, path));
  const wide = paths.find((_, index) => narrowest[index] === undefined);
  if (paths.length === 0) return cannot(`${code(noise.path_pattern)} can't be named in a configuration`);
  if (wide !== undefined)
    return cannot(
      `${code(wide.join("."))} of ${code(block.labels.join("."))} can't be ignored without ignoring a whole block`,
    );
  const names = narrowest.flatMap((name) => withKeys(name ?? "", noise));
  return addIgnored(file.text, block, names, (edits) => changed(file, edits));
}

/** Adds the known keys of a map, so that other keys are still compared. */
function withKeys(name: string, { keys = [], path_pattern: pattern }: NoiseGroup): string[] {
  const isMap = /^[^.]+(?:\.\*)?$/.test(pattern) && keys.length > 0;
  return isMap ? keys.map((key) => `${name}[${hclString(key)}]`) : [name];
}

/** Returns undefined if only a whole block could be named, including what the configuration sets in it. */
function narrowestPath(
  block: Block,
  type: string,
  [name = "", ...steps]: readonly string[],
): string | undefined {
  const nested = blocksNamed(bodyOf(block.node), name);
  const [only] = nested;
  if (only === undefined) return name;
  const inner = steps[0] === "*" ? steps.slice(1) : steps;
  if (nested.length > 1 || inner.length === 0 || isDynamic(only, name) || !isListBlock(type, name))
    return undefined;
  const rest = narrowestPath(only, type, inner);
  return rest && `${name}[0].${rest}`;
}

function addIgnored(
  text: string,
  block: Block,
  names: readonly string[],
  change: (edits: Edit[]) => Outcome,
): Outcome {
  const [lifecycle] = blocksNamed(bodyOf(block.node), "lifecycle");
  const line = `ignore_changes = [${names.join(", ")}]`;
  if (lifecycle === undefined)
    return change(appendLines(text, block, ["lifecycle {", line, "}"], { apart: true }));
  const ignored = attributeNamed(bodyOf(lifecycle.node), "ignore_changes");
  if (ignored === undefined) return change(appendLines(text, lifecycle, [line]));
  const value = innermost(ignored.value);
  const items = value.type === "tuple" ? itemsOf(value) : undefined;
  const known = (items ?? [value]).map(({ text }) => plainPath(text));
  if (known.includes("all") || known.includes("*"))
    return already(`${code(block.labels.join("."))} already ignores all changes`);
  if (items === undefined) return cannot("ignore_changes isn't a list");
  const added = names.filter((name) => !known.some((path) => covers(path, plainPath(name))));
  if (added.length === 0)
    return already(`${code(block.labels.join("."))} already ignores ${list(names.map(code))}`);
  return change(addItems(text, value, added));
}

/** Normalizes a path, which old configurations quote. */
const plainPath = (path: string): string => path.replaceAll(/\s/g, "").replace(/^"(.*)"$/, "$1");

function covers(path: string, other: string): boolean {
  return other === path || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);
}
