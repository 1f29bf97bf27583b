import { isObject, type Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../../plan/model.ts";
import { textsOf } from "../attribute-values.ts";
import { nameOf, valueOf, type Leaf } from "../../plan/leaves.ts";

/** Returns a leaf with the name and values that carry its meaning; most leaves are returned unchanged. */
export function plainLeaf(leaf: Leaf, change: ResourceChange): Leaf {
  return chosenAction(leaf, change) ?? namedValue(leaf, change) ?? leaf;
}

/**
 * Interprets blocks that stand for a word, such as `block` and `count` in `action { count {} }`. The words become the
 * values.
 */
function chosenAction(leaf: Leaf, { before, after }: ResourceChange): Leaf | undefined {
  const at = leaf.path.findIndex((step) => typeof step === "string" && step.endsWith("action"));
  if (at < 0) return undefined;
  const end = typeof leaf.path[at + 1] === "number" ? at + 2 : at + 1;
  const [was, is] = [before, after].map((side) => filledIn(valueOf(side, leaf.path.slice(0, end))));
  if (was === undefined || is === undefined || was === is) return undefined;
  // Without an override a rule group's own rules apply.
  const isOverride = String(leaf.path[at]).startsWith("override");
  const name = nameOf(leaf.path.slice(0, end));
  return { ...leaf, name, before: isOverride && was === "none" ? "enforce" : was, after: is, hidden: false };
}

/** Returns the name of the only non-empty block; undefined for anything else. */
function filledIn(value: Json | undefined): string | undefined {
  if (!isObject(value) || Object.values(value).some((inner) => typeof inner !== "object")) return undefined;
  const filled = Object.entries(value).filter(([, inner]) => isBlock(inner));
  return filled.length === 1 ? filled[0]?.[0] : undefined;
}

function isBlock(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value);
}

const NAMES = ["key", "name", "setting_id", "setting_name", "parameter_name", "option_name"];

/** Names the `value` of a block after the block's `name`. */
function namedValue(leaf: Leaf, { after }: ResourceChange): Leaf | undefined {
  if (leaf.path.at(-1) !== "value") return undefined;
  const around = valueOf(after, leaf.path.slice(0, -1));
  if (!isObject(around)) return undefined;
  const [name] = NAMES.flatMap((one) => textsOf(around[one]));
  return name === undefined ? undefined : { ...leaf, name };
}

/** Elements of an API gateway policy that authenticate the caller. */
const CHECKS =
  /<(?:validate-jwt|validate-azure-ad-token|validate-client-certificate|check-header|ip-filter|authentication-\w{1,20})\b/g;
const LONGEST = 100_000;

/** Returns whether a policy loses a check of the caller. */
export function losesCheck({ before, after }: Leaf): boolean {
  if (typeof before !== "string" || typeof after !== "string") return false;
  if (before.length > LONGEST || after.length > LONGEST) return false;
  const kept = new Set(after.match(CHECKS));
  return (before.match(CHECKS) ?? []).some((check) => !kept.has(check));
}
