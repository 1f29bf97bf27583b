import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { denialsOf } from "./policy.ts";
import { actionsText } from "./policy-text.ts";
import { listed } from "./values.ts";

/** Returns the denials that a policy loses; none if it gains as many. */
export function lostDenials({ before, after }: ResourceChange): Denial[] {
  const [were, are] = [denialsIn(before), denialsIn(after)];
  const kept = new Set(are.map(({ key }) => key));
  return are.length >= were.length ? [] : were.filter(({ key }) => !kept.has(key));
}

/** Lists actions that a policy newly denies; empty if its denials don't change. */
export function denialText({ before, after }: ResourceChange): string {
  const known = new Set(denialsIn(before).map(({ key }) => key));
  const more = denialsIn(after).filter(({ key }) => !known.has(key));
  return more.length > 0 ? `Policy denies ${listed(more.map(({ text }) => text))}` : "";
}

/** A `Deny` statement. Statements with the same key are equal. */
export interface Denial {
  key: string;
  path: Path;
  text: string;
}

function denialsIn(side: Json): Denial[] {
  if (!isObject(side)) return [];
  return denialsOf(side).map(({ path, actions, statement }) => ({
    key: JSON.stringify(statement),
    path,
    text: actions.length > 0 ? actionsText(actions) : "all but some actions",
  }));
}
