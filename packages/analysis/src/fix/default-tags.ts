import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Node } from "web-tree-sitter";

import { attributeNamed, bodyOf, nodesOf, type Block } from "./hcl/body.ts";
import { removeLines, type Edit } from "./hcl/edits.ts";
import { entriesOf, innermost, literalOf, type Entry } from "./hcl/literal.ts";
import type { Site } from "./locate.ts";
import type { Project } from "./project.ts";
import { already, cannot, changed, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Takes out of a resource's tags what the provider's default tags set for all. */
export const removeRepeatedTags: Template = {
  strategy: "normalize",
  apply: ({ file, block }, _noise, project) => removeRepeated({ file, block }, project),
  explain: () =>
    `Tags that the provider's ${code("default_tags")} set for all resources are no longer repeated in the resource's own ${code("tags")}.`,
  risks: () => ["The resource loses these tags should default_tags lose them."],
  example: (noise: NoiseGroup) =>
    `provider "aws" {\n  default_tags {\n    tags = {\n      Team = "example"\n    }\n  }\n}\n\nresource "${noise.resource_type}" "example" {\n  # no Team here\n}\n`,
};

function removeRepeated({ file, block }: Pick<Site, "file" | "block">, project: Project): Outcome {
  const defaults = defaultTags(block, project);
  if (defaults === undefined) return cannot("no default_tags are in the files that were given");
  const tags = attributeNamed(bodyOf(block.node), "tags");
  const name = code(block.labels.join("."));
  if (tags === undefined) return already(`${name} has no tags of its own`);
  const object = innermost(tags.value);
  if (object.type !== "object") return cannot(`the tags of ${name} aren't written out where they are set`);
  const entries = entriesOf(object);
  const repeated = entries.filter((entry) => defaults.some((other) => isSame(entry, other)));
  if (repeated.length === 0) return already(`${name} repeats none of the default tags`);
  const { startIndex: start, endIndex: end } = tags.node;
  if (repeated.length === entries.length) return changed(file, [removeLines(file.text, { start, end })]);
  return changed(
    file,
    repeated.map((entry) => removeEntry(file.text, object, entry)),
  );
}

function isSame(one: Entry, other: Entry): boolean {
  if (one.key === undefined || one.key !== other.key) return false;
  const value = literalOf(one.value);
  return one.value.text === other.value.text || (value !== undefined && value === literalOf(other.value));
}

/** Those of the provider that the resource uses, where its configuration is given. */
function defaultTags(block: Block, { files }: Project): Entry[] | undefined {
  const provider = attributeNamed(bodyOf(block.node), "provider")?.value.text;
  const found = files
    .flatMap(({ blocks }) => blocks)
    .filter(({ kind, labels }) => kind === "provider" && labels[0] === "aws")
    .filter((one) => aliasOf(one) === provider)
    .flatMap((one) => bodyOf(one.node).blocks.filter(({ kind }) => kind === "default_tags"));
  const [tags, ...more] = found.flatMap((one) => attributeNamed(bodyOf(one.node), "tags") ?? []);
  const object = tags && innermost(tags.value);
  return object?.type === "object" && more.length === 0 ? entriesOf(object) : undefined;
}

function aliasOf(provider: Block): string | undefined {
  const alias = attributeNamed(bodyOf(provider.node), "alias");
  const value = alias && literalOf(alias.value);
  return typeof value === "string" ? `aws.${value}` : undefined;
}

/** With its comma; with its line where it has one of its own. */
function removeEntry(text: string, object: Node, { node }: Entry): Edit {
  const parts = nodesOf(object);
  const at = parts.findIndex(({ id }) => id === node.id);
  const [previous, next] = [parts[at - 1], parts[at + 1]];
  const comma = next?.type === "," ? next : undefined;
  const end = comma?.endIndex ?? node.endIndex;
  if (hasOwnLines(node, parts)) return removeLines(text, { start: node.startIndex, end });
  const start = !comma && previous?.type === "," ? previous.startIndex : node.startIndex;
  return { start, end, text: "" };
}

/** Commas and comments on its lines are its own. */
function hasOwnLines({ id, startPosition, endPosition }: Node, parts: readonly Node[]): boolean {
  return parts
    .filter((part) => part.id !== id && part.type !== "," && part.type !== "comment")
    .every((part) => part.endPosition.row < startPosition.row || part.startPosition.row > endPosition.row);
}
