import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Node } from "web-tree-sitter";

import { attributeNamed, bodyOf, type Block } from "./hcl/body.ts";
import { removeLines } from "./hcl/edits.ts";
import { entriesOf, innermost, literalOf, type Entry } from "./hcl/literal.ts";
import { removeMembers } from "./hcl/members.ts";
import type { Site } from "./locate.ts";
import type { Project } from "./project.ts";
import { passesProviders, providersOf } from "./providers.ts";
import { already, cannot, changed, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Removes tags from a resource that repeat the provider's default tags. */
export const removeRepeatedTags: Template = {
  strategy: "normalize",
  fits: ({ resource_type: type }) => type.startsWith("aws_"),
  apply: (site, noise, project) => removeRepeated(site, noise, project),
  explain: () =>
    `Tags that the provider's ${code("default_tags")} set for all resources are no longer repeated in the resource's own ${code("tags")}.`,
  risks: () => ["The resource loses these tags if `default_tags` no longer sets them."],
  example: (noise: NoiseGroup) =>
    `provider "aws" {\n  default_tags {\n    tags = {\n      Team = "example"\n    }\n  }\n}\n\nresource "${noise.resource_type}" "example" {\n  # no Team here\n}\n`,
};

/** Explanation for noise where only `tags_all` differs. */
const DEFAULTS_DIFFER =
  ". The default tags themselves differ, which an apply settles, unless one changes in each plan, as with `timestamp()`";

function removeRepeated(site: Site, { path_pattern: path }: NoiseGroup, project: Project): Outcome {
  const rest = path.startsWith("tags_all") ? DEFAULTS_DIFFER : "";
  const { file, block } = site;
  const defaults = defaultTags(site, project);
  if (defaults === undefined) return cannot("the given files contain no default_tags of its provider");
  const tags = attributeNamed(bodyOf(block.node), "tags");
  const name = code(block.labels.join("."));
  if (tags === undefined) return already(`${name} has no tags of its own${rest}`);
  const object = innermost(tags.value);
  if (object.type !== "object") return cannot(`the tags of ${name} aren't a literal map`);
  const entries = entriesOf(object);
  const repeated = entries.filter((entry) => isRepeated(entry, defaults, site));
  if (repeated.length === 0) return already(`${name} repeats none of the default tags${rest}`);
  const { startIndex: start, endIndex: end } = tags.node;
  if (repeated.length === entries.length) return changed(file, [removeLines(file.text, { start, end })]);
  return changed(
    file,
    removeMembers(
      file.text,
      object,
      repeated.map(({ node }) => node),
    ),
  );
}

/**
 * Checks whether a tag repeats a default tag. Inside a module, `var.team` isn't the same value as the caller's
 * `var.team`.
 */
function isRepeated({ key, value }: Entry, defaults: DefaultTags, { isShared }: Site): boolean {
  const other = key === undefined ? undefined : defaults.get(key);
  if (other === undefined) return false;
  const literal = literalOf(value);
  return literal === undefined ? !isShared && value.text === other.text : literal === literalOf(other);
}

type DefaultTags = ReadonlyMap<string | undefined, Node>;

/** Default tags by provider configuration, cached because many resources share one. */
const known = new WeakMap<Block, DefaultTags | undefined>();

function defaultTags(site: Site, project: Project): DefaultTags | undefined {
  const provider = providerOf(site, project);
  if (provider === undefined || known.has(provider)) return provider && known.get(provider);
  const defaults = bodyOf(provider.node).blocks.find(({ kind }) => kind === "default_tags");
  const tags = defaults && attributeNamed(bodyOf(defaults.node), "tags");
  const object = tags && innermost(tags.value);
  const own =
    object?.type === "object" ? new Map(entriesOf(object).map(({ key, value }) => [key, value])) : undefined;
  known.set(provider, own);
  return own;
}

/** Returns the provider configuration that a resource uses, if it is in the files and unambiguous. */
function providerOf(site: Site, project: Project): Block | undefined {
  const provider = attributeNamed(bodyOf(site.block.node), "provider")?.value.text;
  if (site.isShared && (provider !== undefined || passesProviders(project))) return undefined;
  const [found, ...more] = providersOf(site, project, provider);
  return more.length > 0 ? undefined : found?.block;
}
