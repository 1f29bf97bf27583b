import type { NoiseGroup } from "@leeway/shared/contracts/analyzer/analysis";
import type { Node } from "web-tree-sitter";

import { attributeNamed, blocksNamed, bodyOf, nodesOf, type Attribute, type Block } from "./hcl/body.ts";
import { entriesOf, innermost, itemsOf } from "./hcl/literal.ts";

/** Position of an attribute, present or not. `steps` lead from its value down to the noise. */
export interface Place {
  block: Block;
  name: string;
  attribute: Attribute | undefined;
  steps: readonly string[];
}

const NAME = /^[A-Za-z_][\w-]*$/;

/** Returns the noise's paths as steps; none if a path can't occur in a configuration. */
export function pathsOf({ path_pattern: pattern }: NoiseGroup): string[][] {
  const paths = pattern.split(/,\s*/).map((path) => path.split("."));
  return paths.filter(
    ([first = "", ...rest]) => NAME.test(first) && rest.every((step) => step === "*" || NAME.test(step)),
  );
}

/** Returns all positions in a block that a path may refer to, including nested blocks. */
export function placesOf(block: Block, [name = "", ...steps]: readonly string[]): Place[] {
  const body = bodyOf(block.node);
  const attribute = attributeNamed(body, name);
  const nested = attribute ? [] : blocksNamed(body, name).flatMap(contentOf);
  if (nested.length === 0) return [{ block, name, attribute, steps }];
  const inner = steps[0] === "*" ? steps.slice(1) : steps;
  return inner.length === 0 ? [] : nested.flatMap((one) => placesOf(one, inner));
}

/** Returns the blocks that a dynamic block generates. */
function contentOf(block: Block): Block[] {
  return block.kind === "dynamic"
    ? bodyOf(block.node).blocks.filter(({ kind }) => kind === "content")
    : [block];
}

/** Returns the expressions that steps lead to; `*` matches every item and entry. */
export function valuesAt(value: Node, [step, ...rest]: readonly string[]): Node[] {
  if (step === undefined) return [value];
  const node = innermost(value);
  if (node.type === "tuple") return step === "*" ? itemsOf(node).flatMap((item) => valuesAt(item, rest)) : [];
  if (node.type !== "object") return [];
  return entriesOf(node)
    .filter(({ key }) => step === "*" || key === step)
    .flatMap((entry) => valuesAt(entry.value, rest));
}

/** Returns the name of the function that an expression calls. */
export function calledFunction(value: Node): string | undefined {
  const node = innermost(value);
  return node.type === "function_call" ? nodesOf(node)[0]?.text : undefined;
}
