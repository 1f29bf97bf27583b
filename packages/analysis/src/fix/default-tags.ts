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
  fits: ({ resource_type: type }) => type.startsWith("aws_"),
  apply: (site, noise, project) => removeRepeated(site, noise, project),
  explain: () =>
    `Tags that the provider's ${code("default_tags")} set for all resources are no longer repeated in the resource's own ${code("tags")}.`,
  risks: () => ["The resource loses these tags should default_tags lose them."],
  example: (noise: NoiseGroup) =>
    `provider "aws" {\n  default_tags {\n    tags = {\n      Team = "example"\n    }\n  }\n}\n\nresource "${noise.resource_type}" "example" {\n  # no Team here\n}\n`,
};

/** Where only `tags_all` differs. */
const DEFAULTS_DIFFER =
  ": what differs are the default tags themselves, which an apply settles, unless one of them is new in each plan, as by `timestamp()`";

function removeRepeated(site: Site, { path_pattern: path }: NoiseGroup, project: Project): Outcome {
  const rest = path.startsWith("tags_all") ? DEFAULTS_DIFFER : "";
  const { file, block } = site;
  const defaults = defaultTags(site, project);
  if (defaults === undefined)
    return cannot("no default_tags of its provider are in the files that were given");
  const tags = attributeNamed(bodyOf(block.node), "tags");
  const name = code(block.labels.join("."));
  if (tags === undefined) return already(`${name} has no tags of its own${rest}`);
  const object = innermost(tags.value);
  if (object.type !== "object") return cannot(`the tags of ${name} aren't written out where they are set`);
  const entries = entriesOf(object);
  const repeated = entries.filter((entry) => isRepeated(entry, defaults, site));
  if (repeated.length === 0) return already(`${name} repeats none of the default tags${rest}`);
  const { startIndex: start, endIndex: end } = tags.node;
  if (repeated.length === entries.length) return changed(file, [removeLines(file.text, { start, end })]);
  return changed(
    file,
    repeated.map((entry) => removeEntry(file.text, object, entry, repeated)),
  );
}

/** What a module calls `var.team` is another value than what its caller calls so. */
function isRepeated({ key, value }: Entry, defaults: DefaultTags, { isShared }: Site): boolean {
  const other = key === undefined ? undefined : defaults.get(key);
  if (other === undefined) return false;
  const literal = literalOf(value);
  return literal === undefined ? !isShared && value.text === other.text : literal === literalOf(other);
}

type DefaultTags = ReadonlyMap<string | undefined, Node>;

function defaultTags(site: Site, project: Project): DefaultTags | undefined {
  const provider = providerOf(site, project);
  const defaults = provider && bodyOf(provider.node).blocks.find(({ kind }) => kind === "default_tags");
  const tags = defaults && attributeNamed(bodyOf(defaults.node), "tags");
  const object = tags && innermost(tags.value);
  if (object?.type !== "object") return undefined;
  return new Map(entriesOf(object).map(({ key, value }) => [key, value]));
}

/** The one that a resource uses, where it is given, and plain which that is. */
function providerOf({ file, block, isShared }: Site, { files }: Project): Block | undefined {
  const provider = attributeNamed(bodyOf(block.node), "provider")?.value.text;
  if (isShared && (provider !== undefined || passesProviders(files))) return undefined;
  const [found, ...more] = files
    .filter(({ directory }) => isShared || directory === file.directory)
    .flatMap(({ blocks }) => blocks)
    .filter(({ kind, labels }) => kind === "provider" && labels[0] === "aws")
    .filter((one) => aliasOf(one) === provider);
  return more.length > 0 ? undefined : found;
}

/** Whether modules may use other providers than those that are called the same where they are called. */
function passesProviders(files: Project["files"]): boolean {
  return files
    .flatMap(({ blocks }) => blocks)
    .some(({ kind, node }) => kind === "module" && attributeNamed(bodyOf(node), "providers") !== undefined);
}

function aliasOf(provider: Block): string | undefined {
  const alias = attributeNamed(bodyOf(provider.node), "alias");
  const value = alias && literalOf(alias.value);
  return typeof value === "string" ? `aws.${value}` : undefined;
}

/** With its comma; with its line where it has one of its own. */
function removeEntry(text: string, object: Node, { node }: Entry, removed: readonly Entry[]): Edit {
  const parts = nodesOf(object);
  const at = parts.findIndex(({ id }) => id === node.id);
  const [previous, next] = [parts[at - 1], parts[at + 1]];
  const comma = next?.type === "," ? next : undefined;
  const end = comma?.endIndex ?? node.endIndex;
  if (hasOwnLines(node, parts)) return removeLines(text, { start: node.startIndex, end });
  const isPreviousKept = !removed.some((other) => other.node.id === parts[at - 2]?.id);
  const takesComma = !comma && previous?.type === "," && isPreviousKept;
  const start = takesComma ? previous.startIndex : node.startIndex;
  return { start, end, text: "" };
}

/** Commas and comments on its lines are its own. */
function hasOwnLines({ id, startPosition, endPosition }: Node, parts: readonly Node[]): boolean {
  return parts
    .filter((part) => part.id !== id && part.type !== "," && part.type !== "comment")
    .every((part) => part.endPosition.row < startPosition.row || part.startPosition.row > endPosition.row);
}
