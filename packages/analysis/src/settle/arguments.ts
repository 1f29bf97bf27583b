import type { Json } from "@leeway/shared/values/json";
import type { Node } from "web-tree-sitter";

import { attributeNamed, bodyOf, isDynamic, type Attribute, type Block } from "../fix/hcl/body.ts";
import { appendLines, cutSpan } from "../fix/hcl/edits.ts";
import { entriesOf, hclKey, hclOf, innermost, itemsOf, literalOf, type Entry } from "../fix/hcl/literal.ts";
import { addEntries, removeMembers } from "../fix/hcl/members.ts";
import { code } from "../fix/phrases.ts";
import { changeBlocks } from "./blocks.ts";
import { bySteps, isNothing, nameOf, type Leaf } from "./leaf.ts";
import { CannotSettle, placeOf } from "./refusal.ts";
import { followReference } from "./references.ts";
import { editsIn, type Scope, type ScopedEdit } from "./scope.ts";
import { isWritable, valueEdits, type Unfit } from "./values.ts";

/** Returns the edits that make a block say what is live. @throws {CannotSettle} */
export function changeBody(scope: Scope, block: Block, leaves: readonly Leaf[]): ScopedEdit[] {
  const { attributes, blocks } = bodyOf(block.node);
  return [...bySteps(leaves)].flatMap(([step, inner]) => {
    const name = String(step);
    const here = within(scope, name);
    const dynamic = blocks.find((one) => isDynamic(one, name));
    if (dynamic)
      throw new CannotSettle(
        "dynamic_block",
        `a ${code("dynamic")} block generates ${code(here.name)}`,
        placeOf(scope.file, dynamic.node),
      );
    const attribute = attributeNamed({ attributes, blocks }, name);
    if (attribute) return changeArgument(here, attribute, inner);
    const nested = blocks.filter(({ kind }) => kind === name);
    if (nested.length > 0) return changeBlocks(here, { name, nested }, inner, changeBody);
    return addArgument(here, block, name, inner);
  });
}

/** Returns the scope of a member, whose name refusals use. */
function within(scope: Scope, step: string | number): Scope {
  return { ...scope, name: nameOf([...(scope.name === "" ? [] : [scope.name]), step]) };
}

function changeArgument(scope: Scope, attribute: Attribute, leaves: readonly Leaf[]): ScopedEdit[] {
  const [only] = leaves;
  const isRemoved = only?.path.length === 0 && only.after === null;
  const written = isRemoved ? literalOf(attribute.value) : undefined;
  if (!isRemoved || written === undefined || written === null)
    return changeValue(scope, attribute.value, leaves);
  refuseUnless(scope, attribute.value, only.before);
  const { startIndex: start, endIndex: end } = attribute.node;
  return editsIn(scope, [cutSpan(scope.file.text, { start, end })]);
}

/** Refuses to remove a value that isn't the declared one. */
function refuseUnless(scope: Scope, node: Node, before: Json): void {
  const edits = valueEdits(node, scope.file.text, { before: null, after: before });
  if (edits.length > 0) throw unfit(scope, node, "code_differs");
}

/** Returns the edits of an expression. @throws {CannotSettle} */
export function changeValue(scope: Scope, value: Node, leaves: readonly Leaf[]): ScopedEdit[] {
  const target = followReference(scope, value);
  if (target) {
    const moved = leaves.map((leaf) => ({ ...leaf, path: [...target.steps, ...leaf.path] }));
    return changeValue(target.scope, target.value, moved);
  }
  const [only] = leaves;
  if (only?.path.length === 0) {
    const edits = valueEdits(value, scope.file.text, only);
    if (typeof edits === "string") throw unfit(scope, value, edits);
    return editsIn(scope, edits);
  }
  const node = innermost(value);
  if (node.type === "object") return changeEntries(scope, node, leaves);
  if (node.type === "tuple") return changeItems(scope, node, leaves);
  const merged = lastOfMerge(node);
  if (merged) return changeEntries(scope, merged, leaves);
  throw unfit(scope, value, node.type === "heredoc_template" ? "heredoc" : "expression");
}

/** Returns the last map that a call of `merge` gets, if it is literal: its entries win. */
function lastOfMerge(node: Node): Node | undefined {
  if (node.type !== "function_call" || node.firstNamedChild?.text !== "merge") return undefined;
  const last =
    node.lastNamedChild?.type === "function_arguments" ? node.lastNamedChild.lastNamedChild : undefined;
  const object = last && innermost(last);
  return object?.type === "object" ? object : undefined;
}

function changeEntries(scope: Scope, object: Node, leaves: readonly Leaf[]): ScopedEdit[] {
  const entries = entriesOf(object);
  if (entries.some(({ key }) => key === undefined)) throw unfit(scope, object, "expression");
  const plan: EntryPlan = { gone: [], added: [], edits: [] };
  for (const [key, inner] of bySteps(leaves)) {
    const entry = entries.find((one) => one.key === String(key));
    planEntry(within(scope, String(key)), { object, entry, key: String(key) }, inner, plan);
  }
  const { gone, added, edits } = plan;
  const renamed = gone.slice(0, added.length).map(({ startIndex: start, endIndex: end }, index) => {
    return { start, end, text: added[index] ?? "" };
  });
  const { text } = scope.file;
  const removed = removeMembers(text, object, gone.slice(added.length), cutSpan);
  const more = added.slice(gone.length);
  const appended = more.length > 0 ? addEntries(text, object, more) : [];
  return [...edits, ...editsIn(scope, [...renamed, ...removed, ...appended])];
}

/** Entries of a map that are removed, added as text, and edited. */
interface EntryPlan {
  gone: Node[];
  added: string[];
  edits: ScopedEdit[];
}

interface KeyedEntry {
  object: Node;
  entry: Entry | undefined;
  key: string;
}

function planEntry(
  scope: Scope,
  { object, entry, key }: KeyedEntry,
  leaves: readonly Leaf[],
  { gone, added, edits }: EntryPlan,
): void {
  const [only] = leaves;
  const whole = only?.path.length === 0 ? only : undefined;
  if (entry && whole?.after === null) {
    refuseRemoval(scope, object, entry.value, whole.before);
    gone.push(entry.node);
  } else if (entry) edits.push(...changeValue(scope, entry.value, leaves));
  else if (whole) added.push(...newEntry(scope, object, key, whole));
  else throw unfit(scope, object, "code_differs");
}

function newEntry(scope: Scope, object: Node, key: string, { before, after }: Leaf): string[] {
  if (after === null) {
    if (isMerged(object)) throw unfit(scope, object, "expression");
    return [];
  }
  if (!isNothing(before) && !isMerged(object)) throw unfit(scope, object, "code_differs");
  if (!isWritable(after)) throw unfit(scope, object, "expression");
  return [`${hclKey(key)} = ${hclOf(after)}`];
}

/** Refuses to remove an entry of a merged map, behind which an earlier map may have another value. */
function refuseRemoval(scope: Scope, object: Node, value: Node, before: Json): void {
  if (isMerged(object) || literalOf(value) === undefined) throw unfit(scope, value, "expression");
  refuseUnless(scope, value, before);
}

function isMerged(object: Node): boolean {
  for (let node = object.parent; node; node = node.parent) {
    if (node.type === "function_arguments") return true;
    if (node.type === "attribute" || node.type === "object_elem") return false;
  }
  return false;
}

/** Changes items of a list that keeps its length. A set may have another order than the state. */
function changeItems(scope: Scope, tuple: Node, leaves: readonly Leaf[]): ScopedEdit[] {
  const items = itemsOf(tuple);
  const literals = items.map(literalOf);
  if (leaves.every(({ path: { length } }) => length === 1) && !literals.includes(undefined)) {
    const before = leaves.map((leaf) => leaf.before);
    const isInOrder = leaves.every(({ path: [index], before: old, after }) => {
      const item = literals[Number(index)] ?? null;
      return item === old || item === after;
    });
    if (!isInOrder) return changeSet(scope, tuple, { literals, before, leaves });
  }
  return [...bySteps(leaves)].flatMap(([index, inner]) => {
    const item = items[Number(index)];
    if (!item) throw unfit(scope, tuple, "code_differs");
    return changeValue(within(scope, Number(index)), item, inner);
  });
}

interface SetChange {
  literals: readonly (Json | undefined)[];
  before: readonly Json[];
  leaves: readonly Leaf[];
}

/** Replaces the items of a set that are gone by those that are new, wherever they are. */
function changeSet(scope: Scope, tuple: Node, { literals, before, leaves }: SetChange): ScopedEdit[] {
  const after = leaves.map((leaf) => leaf.after);
  const written = literals.filter((literal) => literal !== undefined);
  const wanted = written.map((item) => {
    const at = before.indexOf(item);
    return at === -1 || after.includes(item) ? item : null;
  });
  const added = after.filter((item) => !before.includes(item));
  for (const [index, item] of wanted.entries()) if (item === null) wanted[index] = added.shift() ?? null;
  if (added.length > 0 && !added.every((item) => written.includes(item))) throw ambiguous(scope, tuple);
  if (wanted.includes(null)) throw ambiguous(scope, tuple);
  const edits = valueEdits(tuple, scope.file.text, { before: [...written], after: wanted });
  if (typeof edits === "string") throw unfit(scope, tuple, edits);
  return editsIn(scope, edits);
}

function ambiguous(scope: Scope, node: Node): CannotSettle {
  const message = `it isn't certain which items of ${code(scope.name)} are meant`;
  return new CannotSettle("ambiguous_item", message, placeOf(scope.file, node));
}

/** Adds an argument that the block doesn't have. */
function addArgument(scope: Scope, block: Block, name: string, leaves: readonly Leaf[]): ScopedEdit[] {
  const value = valueOf(leaves);
  if (value === undefined)
    throw new CannotSettle(
      "missing_block",
      `${code(scope.name)} isn't in the code, and which of its settings belong there isn't certain`,
      placeOf(scope.file, block.node),
    );
  if (value === null) return [];
  if (!isWritable(value)) throw unfit(scope, block.node, "expression");
  if (!/^[A-Za-z_][\w-]*$/.test(name) || !scope.isSettable(scope.name))
    throw new CannotSettle(
      "computed",
      `the code doesn't set ${code(scope.name)}, and it isn't certain that it can`,
      placeOf(scope.file, block.node),
    );
  return editsIn(scope, appendLines(scope.file.text, block, [`${name} = ${hclOf(value)}`]));
}

/** Returns the value of an argument that isn't in the code: a value, or a map of them; undefined for a block. */
function valueOf(leaves: readonly Leaf[]): Json | undefined {
  const [only] = leaves;
  if (only?.path.length === 0) return isNothing(only.after) && isNothing(only.before) ? null : only.after;
  if (!leaves.every(({ path }) => path.length === 1 && typeof path[0] === "string")) return undefined;
  const entries = leaves.map(({ path: [key], after }) => [String(key), after] as const);
  const set = entries.filter(([, after]) => after !== null);
  return set.length === 0 ? null : Object.fromEntries(set);
}

const WHY: Readonly<Record<Unfit, (name: string) => string>> = {
  expression: (name) => `an expression sets ${name}; change it by hand`,
  heredoc: (name) => `a heredoc sets ${name}; change it by hand`,
  code_differs: (name) =>
    `the code sets ${name} to another value than the state; apply the code or update the state first`,
};

function unfit(scope: Scope, node: Node, why: Unfit): CannotSettle {
  return new CannotSettle(why, WHY[why](code(scope.name)), placeOf(scope.file, node));
}
