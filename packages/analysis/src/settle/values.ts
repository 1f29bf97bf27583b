import type { Json } from "@leeway/shared/values/json";
import { isObject } from "@leeway/shared/values/json";
import type { Node } from "web-tree-sitter";

import type { Edit } from "../fix/hcl/edits.ts";
import { cutSpan } from "../fix/hcl/edits.ts";
import { hclOf, innermost, itemsOf, literalOf } from "../fix/hcl/literal.ts";
import { addItems, removeMembers } from "../fix/hcl/members.ts";
import { isSame } from "./leaf.ts";

/** Reason, as a code, why a value isn't edited. */
export type Unfit = "expression" | "heredoc" | "code_differs";

/** Returns the edits that write `after` in place of `before`: none if the code has it already. */
export function valueEdits(
  value: Node,
  text: string,
  { before, after }: { before: Json; after: Json },
): Edit[] | Unfit {
  const node = innermost(value);
  if (node.type === "heredoc_template") return "heredoc";
  const written = literalOf(node);
  if (written === undefined) return "expression";
  if (isSame(written, after)) return [];
  if (Array.isArray(written) && Array.isArray(after))
    return listEdits(node, text, { written, before, after });
  if (!isSame(written, before)) return "code_differs";
  const { startIndex: start, endIndex: end } = node;
  return [{ start, end, text: hclOf(inFormOf(written, after)) }];
}

/** Keeps the form in which code writes a number or boolean: as itself, or as a string. */
function inFormOf(written: Json, after: Json): Json {
  const isPlain = typeof after === "number" || typeof after === "boolean";
  return typeof written === "string" && isPlain ? String(after) : after;
}

interface Lists {
  written: readonly Json[];
  before: Json;
  after: readonly Json[];
}

/** Edits a list of values. A set may be written in another order than the state has it. */
function listEdits(tuple: Node, text: string, { written, before, after }: Lists): Edit[] | Unfit {
  if ([...written, ...after].some((item) => typeof item === "object")) return "expression";
  if (!Array.isArray(before)) return "code_differs";
  const isOrdered = isSame([...written], before);
  if (!isOrdered && !haveSameItems(written, before))
    return haveSameItems(written, after) ? [] : "code_differs";
  const items = itemsOf(tuple);
  if (items.length === after.length && isOrdered) return inPlace(items, written, after);
  return exchanged(tuple, text, { written, after, isOrdered });
}

/** Replaces items that are gone by new ones, and adds or removes the rest. */
function exchanged(
  tuple: Node,
  text: string,
  { written, after, isOrdered }: Omit<Lists, "before"> & { isOrdered: boolean },
): Edit[] | Unfit {
  const items = itemsOf(tuple);
  const gone = without(written, after);
  const added = without(after, written).map((index) => after[index] ?? null);
  const replaced = new Map(gone.map((at, index) => [at, added[index]]));
  const result = written.flatMap((item, index) => (replaced.has(index) ? (replaced.get(index) ?? []) : item));
  const more = added.slice(gone.length);
  if (isOrdered && !isSame([...result, ...more], [...after])) return rewritten(tuple, after);
  const swapped = items.map((_, index) => replaced.get(index) ?? written[index] ?? null);
  return [
    ...inPlace(items, written, swapped),
    ...removeMembers(
      text,
      tuple,
      gone.slice(added.length).flatMap((at) => items[at] ?? []),
      cutSpan,
    ),
    ...(more.length > 0 ? addItems(text, tuple, more.map(hclOf)) : []),
  ];
}

function inPlace(items: readonly Node[], written: readonly Json[], after: readonly Json[]): Edit[] {
  return items.flatMap(({ startIndex: start, endIndex: end }, index) => {
    const [old = null, wanted = null] = [written[index], after[index]];
    return isSame(old, wanted) ? [] : [{ start, end, text: hclOf(inFormOf(old, wanted)) }];
  });
}

/** Rewrites a list, unless that would lose comments. */
function rewritten(tuple: Node, items: readonly Json[]): Edit[] | Unfit {
  if (tuple.descendantsOfType("comment").length > 0) return "expression";
  const { startIndex: start, endIndex: end } = tuple;
  return [{ start, end, text: hclOf([...items]) }];
}

function haveSameItems(one: readonly Json[], other: readonly Json[]): boolean {
  return one.length === other.length && without(one, other).length === 0;
}

/** Returns the indices of items that have no counterpart in another list. */
function without(items: readonly Json[], other: readonly Json[]): number[] {
  const left = [...other];
  return items.flatMap((item, index) => {
    const at = left.findIndex((one) => isSame(item, one));
    if (at === -1) return [index];
    left.splice(at, 1);
    return [];
  });
}

/** Returns whether HCL can be written for a value in an argument: a scalar, or a list or map of scalars. */
export function isWritable(value: Json): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item !== "object");
  if (isObject(value)) return Object.values(value).every((item) => typeof item !== "object");
  return value !== null;
}
