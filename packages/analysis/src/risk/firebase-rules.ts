import { isObject, members, text, type Json } from "@leeway/shared/values/json";

import { deletes, type ResourceChange } from "../plan/model.ts";

/** Longer rules aren't read, which bounds the time for any plan. */
const LONGEST = 100_000;
const OPEN = /\ballow\s{1,9}[a-z, ]{1,60}(?::\s{0,9}if\s{1,9}true\s{0,9})?;/;

/** Returns whether Firebase rules let everyone in after a change. */
export function isOpenRuleset(type: string, change: ResourceChange): boolean {
  return type === "google_firebaserules_ruleset" && !deletes(change) && letsEverybodyIn(change.after);
}

function letsEverybodyIn(side: Json): boolean {
  if (!isObject(side)) return false;
  return members(side, "source")
    .flatMap((source) => members(source, "files"))
    .map((file) => text(file, "content") ?? "")
    .some((content) => content.length <= LONGEST && OPEN.test(content));
}
