import type { Json } from "@leeway/shared/values/json";
import { REDACTED } from "@leeway/shared/security/redaction/redact";

import { textsOf } from "./attribute-values.ts";
import type { Leaf } from "../plan/leaves.ts";
import { isSetting } from "./cosmetic.ts";

const MAX_LISTED = 3;
const MAX_VALUE_LENGTH = 80;
const MAX_NAME_LENGTH = 100;

/** Lists attributes with old and new values, such as `instance_class db.r6g.xlarge → db.t3.small`; at most three. */
export function changesText(leaves: readonly Leaf[]): string {
  const texts = new Set(leaves.map(changeText).filter((text) => text !== ""));
  return listed([...texts]);
}

/** Joins items into a list: `a, b and 2 more`. */
export function listed(items: readonly string[], max = MAX_LISTED): string {
  const shown = items.slice(0, max);
  const more = items.length - shown.length;
  const all = more > 0 ? [...shown, `${more} more`] : shown;
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

/** Returns a name or value from the plan on one line, truncated if it is long. */
export function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_VALUE_LENGTH ? line : `${line.slice(0, MAX_VALUE_LENGTH - 1)}…`;
}

/** Omits values that are masked, long, or a program's own settings. */
function changeText(leaf: Leaf): string {
  const name = leaf.name.slice(0, MAX_NAME_LENGTH);
  if (leaf.hidden || isSetting(leaf.name)) return name;
  const [before, after] = [
    valueText(leaf.before),
    leaf.unknown ? "(known after apply)" : valueText(leaf.after),
  ];
  if (before === undefined || after === undefined) return name;
  if (Array.isArray(leaf.before) && Array.isArray(leaf.after))
    return `${name} ${listChange(leaf.before, leaf.after)}`;
  return before === after ? name : `${name} ${before} → ${after}`;
}

/** Describes how a list of plain values changes: `adds a and b, removes c`. */
function listChange(before: Json[], after: Json[]): string {
  const [were, are] = [new Set(textsOf(before)), new Set(textsOf(after))];
  const added = [...are].filter((item) => !were.has(item)).map(shown);
  const removed = [...were].filter((item) => !are.has(item)).map(shown);
  const parts = [
    added.length > 0 && `adds ${listed(added)}`,
    removed.length > 0 && `removes ${listed(removed)}`,
  ];
  return parts.filter((part) => part !== false).join(", ") || "changes order";
}

/** Returns undefined for values that must not or can't be shown on a line. */
function valueText(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === "") return "(none)";
  if (Array.isArray(value)) return listText(value);
  if (typeof value === "object" || isHidden(value)) return undefined;
  const text = String(value);
  return text.length > MAX_VALUE_LENGTH || /[\r\n]/.test(text) ? undefined : text;
}

function listText(items: Json[]): string | undefined {
  if (items.length === 0) return "(none)";
  if (items.some((item) => typeof item === "object" || isHidden(item))) return undefined;
  return `[${listed(textsOf(items).map(shown))}]`;
}

/** Returns whether a value is masked, in whole or in part. */
export function isHidden(value: Json | undefined): boolean {
  return typeof value === "string" && value.includes(REDACTED);
}
