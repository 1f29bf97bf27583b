import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { hclString } from "@leeway/shared/hcl-string";

import { attributeNamed, blocksNamed, bodyOf, isDynamic, type Block } from "./hcl/body.ts";
import { appendLines } from "./hcl/edits.ts";
import { hclOf, innermost, itemsOf, literalOf } from "./hcl/literal.ts";
import type { Site } from "./locate.ts";
import type { Project, ProjectFile } from "./project.ts";
import { already, cannot, changed, type Outcome, type Template } from "./template.ts";
import { code, list } from "./phrases.ts";

/** Has the provider leave out tags that others own, on all resources. */
export const ignoreTags: Template = {
  strategy: "provider_setting",
  fits: ({ provider_name: provider }) => /(?:^|\/)hashicorp\/aws$/.test(provider),
  apply: (site, noise, project) => ignore(site, noise, project),
  explain: ({ keys = [] }) =>
    `The provider leaves out ${list(keys.map(code))} on all of its resources, by ${code("ignore_tags")}.`,
  risks: ({ keys = [] }) => [
    `No resource of this provider can set ${list(keys.map(code))} any more, and Terraform won't see them.`,
  ],
  example: ({ keys = [] }) =>
    `provider "aws" {\n  ignore_tags {\n    keys = ${hclOf(keys.length > 0 ? keys : ["example"])}\n  }\n}\n`,
};

function ignore(
  { file: declared, block, isShared }: Site,
  { keys = [] }: NoiseGroup,
  { files }: Project,
): Outcome {
  if (keys.length === 0) return cannot("which tags it is isn't known");
  if (attributeNamed(bodyOf(block.node), "provider"))
    return cannot("the resource names a provider of its own");
  const [found, ...more] = files
    .filter(({ directory }) => isShared || directory === declared.directory)
    .flatMap((file) => defaultProviders(file).map((one) => ({ file, block: one })));
  if (found === undefined || more.length > 0)
    return cannot("the provider's configuration isn't in the files that were given, or there more than once");
  return addKeys(found.file, found.block, keys);
}

const defaultProviders = ({ blocks }: ProjectFile): Block[] =>
  blocks.filter(
    ({ kind, labels, node }) =>
      kind === "provider" && labels[0] === "aws" && !attributeNamed(bodyOf(node), "alias"),
  );

function addKeys(file: ProjectFile, provider: Block, keys: readonly string[]): Outcome {
  const [ignored] = blocksNamed(bodyOf(provider.node), "ignore_tags");
  const line = `keys = ${hclOf([...keys])}`;
  if (ignored === undefined)
    return changed(file, appendLines(file.text, provider, ["ignore_tags {", line, "}"], { apart: true }));
  if (isDynamic(ignored, "ignore_tags")) return cannot("the provider's ignore_tags is a dynamic block");
  const missing = keys.filter((key) => !isIgnored(ignored, key));
  if (missing.length === 0) return already(`the provider leaves out ${list(keys.map(code))} already`);
  const attribute = attributeNamed(bodyOf(ignored.node), "keys");
  if (attribute === undefined) return changed(file, appendLines(file.text, ignored, [line]));
  const tuple = innermost(attribute.value);
  if (tuple.type !== "tuple") return cannot("the keys of ignore_tags aren't written out where they are set");
  const last = itemsOf(tuple).at(-1);
  const at = last?.endIndex ?? tuple.startIndex + 1;
  const added = missing.map(hclString).join(", ");
  return changed(file, [{ start: at, end: at, text: (last ? ", " : "") + added }]);
}

function isIgnored(ignored: Block, key: string): boolean {
  const textsOf = (name: string): string[] => {
    const attribute = attributeNamed(bodyOf(ignored.node), name);
    const value = attribute && literalOf(attribute.value);
    return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
  };
  return textsOf("keys").includes(key) || textsOf("key_prefixes").some((prefix) => key.startsWith(prefix));
}
