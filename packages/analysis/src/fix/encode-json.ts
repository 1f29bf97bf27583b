import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Node } from "web-tree-sitter";

import { attributeOf, exampleOf } from "./example.ts";
import { lineEndOf, type Edit } from "./hcl/edits.ts";
import { entriesOf, innermost, itemsOf, literalOf } from "./hcl/literal.ts";
import { prettyLines } from "./hcl/pretty.ts";
import { documentOf } from "./json-document.ts";
import type { Site } from "./locate.ts";
import { calledFunction, pathsOf, placesOf, type Place } from "./places.ts";
import { sampleOf } from "./sample.ts";
import { already, cannot, changed, together, type Outcome, type Template } from "./template.ts";
import { code } from "./phrases.ts";

/** Replaces a JSON document with `jsonencode` and sorts the lists whose order has no meaning. */
export const encodeJson: Template = {
  strategy: "normalize",
  apply: (site, noise) => {
    const places = pathsOf(noise).flatMap((path) => placesOf(site.block, path));
    return together(
      places.map((place) => encode(place, site)),
      `${code(noise.path_pattern)} isn't set in the block`,
    );
  },
  explain: (noise) =>
    isPolicy(noise)
      ? `${code("jsonencode")} builds ${code(attributeOf(noise))}, with literal lists of actions, resources and principals sorted. Its layout and their order can no longer differ.`
      : `${code("jsonencode")} builds ${code(attributeOf(noise))}. Its layout can no longer differ.`,
  risks: () => [
    "The next plan shows the document as changed, although it means the same. Comments and layout of the text are lost.",
  ],
  example: (noise) => exampleOf(noise, `jsonencode(${documentFor(noise)})`),
};

/**
 * Returns an example document. Policies share one form; others have their own. The sample isn't shown, because it may
 * come from a repository that the caller can't read.
 */
const documentFor = (noise: NoiseGroup): string =>
  isPolicy(noise) ? POLICY : `jsondecode(file("\${path.module}/${attributeOf(noise)}.json"))`;

const POLICY = `{
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["s3:GetObject", "s3:ListBucket"]
        Resource = "*"
      },
    ]
  }`;

function isPolicy(noise: NoiseGroup): boolean {
  const { before } = sampleOf(noise);
  return typeof before === "string" ? before.includes('"Statement"') : attributeOf(noise).endsWith("policy");
}

function encode({ attribute, name, steps }: Place, { file }: Site): Outcome {
  if (attribute === undefined || steps.length > 0) return cannot(`${code(name)} isn't set in the block`);
  const { value } = attribute;
  const called = calledFunction(value);
  if (called === "jsonencode") return sortLists(value, name, file);
  if (/^data\.aws_iam_policy_document\.[\w.[\]]+\.(?:minified_)?json$/.test(value.text))
    return already(`${code("aws_iam_policy_document")} already builds ${code(name)} in one form`);
  const lineEnd = lineEndOf(file.text);
  const { startIndex: start, endIndex: end } = value;
  const document = documentOf(value);
  if (document !== undefined) {
    const written = prettyLines(document.json, document.write, isUnordered).join(lineEnd);
    return changed(file, [{ start, end, text: `jsonencode(${written})` }]);
  }
  const type = innermost(value).type;
  if (type === "heredoc_template" || type === "string_lit" || type === "quoted_template")
    return cannot(`${code(name)} is a template that isn't JSON until it is rendered`);
  return changed(file, [{ start, end, text: `jsonencode(jsondecode(${value.text}))` }]);
}

function sortLists(value: Node, name: string, file: Site["file"]): Outcome {
  const edits = value
    .descendantsOfType("object")
    .flatMap((object) => (object ? entriesOf(object) : []))
    .filter(({ key }) => key !== undefined && isUnordered(key))
    .flatMap((entry) => sortItems(entry.value));
  return edits.length > 0
    ? changed(file, edits)
    : already(
        `${code("jsonencode")} already builds ${code(name)}, and its literal lists are sorted. It still differs in form, such as a list of one item instead of the item, or the order of statements. Write it as the provider returns it`,
      );
}

function sortItems(value: Node): Edit[] {
  const tuple = innermost(value);
  const items = tuple.type === "tuple" ? itemsOf(tuple) : [];
  const texts = items.map(literalOf).filter((literal) => typeof literal === "string");
  if (texts.length < items.length) return [];
  const written = new Map(texts.map((literal, index) => [literal, items[index]?.text]));
  const sorted = texts.toSorted();
  return items.flatMap(({ startIndex: start, endIndex: end, text }, index) => {
    const wanted = written.get(sorted[index] ?? "") ?? text;
    return wanted === text ? [] : [{ start, end, text: wanted }];
  });
}

/** Policy members whose lists have no meaningful order. */
const UNORDERED = new Set([
  "Action",
  "NotAction",
  "Resource",
  "NotResource",
  "AWS",
  "Service",
  "Federated",
  "CanonicalUser",
]);
const isUnordered = (key: string): boolean => UNORDERED.has(key);
