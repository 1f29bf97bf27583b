import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import { hclString } from "@leeway/shared/values/hcl-string";

import { attributeNamed, blocksNamed, bodyOf, isDynamic, type Block } from "./hcl/body.ts";
import { appendLines } from "./hcl/edits.ts";
import { hclOf, innermost, itemsOf, literalOf } from "./hcl/literal.ts";
import type { Site } from "./locate.ts";
import type { Project, ProjectFile } from "./project.ts";
import { providersOf } from "./providers.ts";
import { already, cannot, changed, type Outcome, type Template } from "./template.ts";
import { code, list } from "./phrases.ts";

/** Configures the provider to ignore tags that other systems own, on all resources. */
export const ignoreTags: Template = {
  strategy: "provider_setting",
  fits: ({ provider_name: provider }) => /(?:^|\/)hashicorp\/aws$/.test(provider),
  apply: (site, noise, project) => ignore(site, noise, project),
  explain: ({ keys = [] }) =>
    `The provider ignores ${list(keys.map(code))} on all of its resources, with ${code("ignore_tags")}.`,
  risks: ({ keys = [] }) => [
    `Resources of this provider can no longer set ${list(keys.map(code))}, and Terraform doesn't see these tags.`,
  ],
  example: ({ keys = [] }) =>
    `provider "aws" {\n  ignore_tags {\n    keys = ${hclOf(keys.length > 0 ? keys : ["example"])}\n  }\n}\n`,
};

function ignore(site: Site, { keys = [] }: NoiseGroup, project: Project): Outcome {
  if (keys.length === 0) return cannot("the tags aren't known");
  if (attributeNamed(bodyOf(site.block.node), "provider"))
    return cannot("the resource sets its own provider");
  const [found, ...more] = providersOf(site, project, undefined);
  if (found === undefined || more.length > 0)
    return cannot("the given files don't contain the provider's configuration exactly once");
  const before = asked.get(found.block);
  if (before?.keys === keys) return before.outcome;
  const outcome = addKeys(found.file, found.block, keys);
  asked.set(found.block, { keys, outcome });
  return outcome;
}

/** Outcome by provider block, cached because most resources share one. */
const asked = new WeakMap<Block, { keys: readonly string[]; outcome: Outcome }>();

function addKeys(file: ProjectFile, provider: Block, keys: readonly string[]): Outcome {
  const [ignored] = blocksNamed(bodyOf(provider.node), "ignore_tags");
  const line = `keys = ${hclOf([...keys])}`;
  if (ignored === undefined)
    return changed(file, appendLines(file.text, provider, ["ignore_tags {", line, "}"], { apart: true }));
  if (isDynamic(ignored, "ignore_tags")) return cannot("the provider's ignore_tags is a dynamic block");
  const [known, prefixes] = [new Set(textsOf(ignored, "keys")), textsOf(ignored, "key_prefixes")];
  const missing = keys.filter((key) => !known.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)));
  if (missing.length === 0) return already(`the provider already ignores ${list(keys.map(code))}`);
  const attribute = attributeNamed(bodyOf(ignored.node), "keys");
  if (attribute === undefined) return changed(file, appendLines(file.text, ignored, [line]));
  const tuple = innermost(attribute.value);
  if (tuple.type !== "tuple") return cannot("the keys of ignore_tags aren't a literal list");
  const last = itemsOf(tuple).at(-1);
  const at = last?.endIndex ?? tuple.startIndex + 1;
  const added = missing.map(hclString).join(", ");
  return changed(file, [{ start: at, end: at, text: (last ? ", " : "") + added }]);
}

function textsOf(block: Block, name: string): string[] {
  const attribute = attributeNamed(bodyOf(block.node), name);
  const value = attribute && literalOf(attribute.value);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
