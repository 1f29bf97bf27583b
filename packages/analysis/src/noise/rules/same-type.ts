import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/values/json";

import { PROVEN } from "../confidence.ts";
import { type Leaf, type LeafRule } from "../detector.ts";
import { attributeName, isKey } from "../path-pattern.ts";

/**
 * Types that pass objects on verbatim. There an empty selector selects everything, while an absent one may select
 * nothing.
 */
const VERBATIM_TYPE = /^(?:kubernetes|kubectl|helm|k8s|argocd)_/;
/** Networks with access; if absent, the cloud allows everyone. */
const ABSENT_IS_OPEN: ReadonlySet<string> = new Set(["public_access_cidrs"]);

export const sameButType: LeafRule = {
  class: "number_string_bool",
  judge(leaf, { change }) {
    const isEqual = isSameScalar(leaf) || (!VERBATIM_TYPE.test(change.type) && isEmptyOrAbsent(leaf));
    return isEqual ? PROVEN : undefined;
  },
};

function isSameScalar({ before, after }: Leaf): boolean {
  return isTextOf(before, after) || isTextOf(after, before);
}

function isTextOf(text: Json, value: Json): boolean {
  return (
    typeof text === "string" &&
    (typeof value === "number" || typeof value === "boolean") &&
    text === String(value)
  );
}

/** Excludes map keys and list items, which exist even if they are empty. */
function isEmptyOrAbsent({ path, before, after }: Leaf): boolean {
  if (typeof path.at(-1) === "number" || isKey(path) || ABSENT_IS_OPEN.has(attributeName(path))) return false;
  return (before === null && isEmpty(after, path)) || (after === null && isEmpty(before, path));
}

function isEmpty(value: Json, path: Path): boolean {
  if (typeof value !== "object") return value === "";
  // A provider reports unset timeouts as null, each by name.
  const members = Object.values(value ?? {});
  return members.length === 0 || (path[0] === "timeouts" && members.every((member) => member === null));
}
