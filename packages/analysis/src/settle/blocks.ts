import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";

import { attributeNamed, bodyOf, type Block } from "../fix/hcl/body.ts";
import { cutSpan, lineEndOf } from "../fix/hcl/edits.ts";
import { hclOf, literalOf } from "../fix/hcl/literal.ts";
import { isListBlock } from "../fix/list-blocks.ts";
import { code } from "../fix/phrases.ts";
import { bySteps, isNothing, isSame, type Leaf } from "./leaf.ts";
import { CannotSettle, placeOf } from "./refusal.ts";
import { editsIn, type Scope, type ScopedEdit } from "./scope.ts";
import { isWritable } from "./values.ts";

interface Nested {
  name: string;
  nested: readonly Block[];
}

type ChangeBody = (scope: Scope, block: Block, leaves: readonly Leaf[]) => ScopedEdit[];

/**
 * Returns the edits of nested blocks with the same name. A set's blocks have another order in the state, so they are
 * found by their values.
 */
export function changeBlocks(
  scope: Scope,
  { name, nested }: Nested,
  leaves: readonly Leaf[],
  changeBody: ChangeBody,
): ScopedEdit[] {
  return [...bySteps(leaves)].flatMap(([index, inner]) => {
    const [only] = inner;
    if (typeof index !== "number" || !only) throw ambiguous(scope, nested);
    if (only.path.length > 0) {
      const block = meant(scope, { name, nested }, { index, leaves: inner });
      return block ? changeBody(scope, block, inner) : [];
    }
    if (only.before === null && isObject(only.after)) return addBlock(scope, { name, nested }, only.after);
    if (only.after === null && isObject(only.before)) return removeBlock(scope, nested, only.before);
    throw ambiguous(scope, nested);
  });
}

/** Finds the block at an index of the state; undefined if the code has its new values already. */
function meant(
  scope: Scope,
  { name, nested }: Nested,
  { index, leaves }: { index: number; leaves: readonly Leaf[] },
): Block | undefined {
  const [first, second] = nested;
  if (index >= nested.length) throw ambiguous(scope, nested);
  if (first && !second) return first;
  const unchanged = nested.filter((block) => holds(scope, block, leaves, "before"));
  const [one, other] = unchanged;
  if (one && !other) return one;
  if (one && isListBlock(scope.type, name)) return unchanged.find((block) => block === nested[index]);
  const changed = nested.filter((block) => holds(scope, block, leaves, "after"));
  if (!one && changed.length === 1) return undefined;
  throw ambiguous(scope, nested);
}

/** Returns whether a block has the values of a side. @throws {CannotSettle} if an expression sets one of them */
function holds(scope: Scope, block: Block, leaves: readonly Leaf[], side: "before" | "after"): boolean {
  return leaves.every((leaf) => {
    const [name, ...rest] = leaf.path;
    if (rest.length > 0) throw ambiguous(scope, [block]);
    const attribute = attributeNamed(bodyOf(block.node), String(name));
    if (!attribute) return isNothing(leaf[side]);
    const written = literalOf(attribute.value);
    if (written !== undefined) return isSame(written, leaf[side]);
    throw new CannotSettle(
      "ambiguous_block",
      `an expression sets ${code(`${scope.name}.${String(name)}`)}, so it isn't certain which block is meant`,
      placeOf(scope.file, attribute.node),
    );
  });
}

/** Adds a block like its siblings, with the arguments that they have. */
function addBlock(scope: Scope, { name, nested }: Nested, added: JsonObject): ScopedEdit[] {
  const names = new Set(nested.flatMap((block) => bodyOf(block.node).attributes.map((one) => one.name)));
  const set = Object.entries(added).filter(([key, value]) => names.has(key) && !isNothing(value));
  const others = Object.entries(added).filter(([key, value]) => !names.has(key) && isValue(value));
  const last = nested.at(-1);
  if (!last || set.length === 0 || others.length > 0 || !set.every(([, value]) => isWritable(value)))
    throw ambiguous(scope, nested);
  const leaves = set.map(([key, after]) => ({ path: [key], before: null, after }));
  if (nested.some((block) => holds(scope, block, leaves, "after"))) return [];
  const lineEnd = lineEndOf(scope.file.text);
  const lines = [`${name} {`, ...set.map(([key, value]) => `${key} = ${hclOf(value)}`), "}"];
  const { endIndex: at } = last.node;
  return editsIn(scope, [{ start: at, end: at, text: lineEnd + lines.join(lineEnd) }]);
}

/** Returns whether a value is more than a default that providers fill in. */
const isValue = (value: Json): boolean => !isNothing(value) && value !== false && value !== 0;

function removeBlock(scope: Scope, nested: readonly Block[], removed: JsonObject): ScopedEdit[] {
  const found = nested.filter((block) => {
    const leaves = bodyOf(block.node).attributes.map(({ name }) => ({
      path: [name],
      before: removed[name] ?? null,
      after: null,
    }));
    return bodyOf(block.node).blocks.length === 0 && holds(scope, block, leaves, "before");
  });
  const [one, other] = found;
  if (other) throw ambiguous(scope, nested);
  if (!one) return [];
  if (one.node.descendantsOfType("comment").length > 0) throw ambiguous(scope, [one]);
  const { startIndex: start, endIndex: end } = one.node;
  return editsIn(scope, [cutSpan(scope.file.text, { start, end })]);
}

function ambiguous(scope: Scope, nested: readonly Block[]): CannotSettle {
  const [first] = nested;
  return new CannotSettle(
    "ambiguous_block",
    `it isn't certain which block ${code(scope.name)} is meant`,
    first && placeOf(scope.file, first.node),
  );
}
