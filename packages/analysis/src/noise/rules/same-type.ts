import type { Path } from "@leeway/shared/contracts/analyzer/analysis";
import type { Json } from "@leeway/shared/json";

import { PROVEN } from "../confidence.ts";
import { type Leaf, type LeafRule } from "../detector.ts";
import { attributeName, isKey } from "../path-pattern.ts";

/** Their objects are passed on as written, and an empty selector there selects all while an absent one may select none. */
const VERBATIM_TYPE = /^(?:kubernetes|kubectl|helm|k8s|argocd)_/;
/** Networks that may reach something: absent, the cloud's default is everybody. */
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

/** A key of a map, or an item of a list, is there though it's empty. */
function isEmptyOrAbsent({ path, before, after }: Leaf): boolean {
  if (typeof path.at(-1) === "number" || isKey(path) || ABSENT_IS_OPEN.has(attributeName(path))) return false;
  return (before === null && isEmpty(after, path)) || (after === null && isEmpty(before, path));
}

function isEmpty(value: Json, path: Path): boolean {
  if (typeof value !== "object") return value === "";
  // What a provider's time-outs aren't set to is told as null, each by its name.
  const members = Object.values(value ?? {});
  return members.length === 0 || (path[0] === "timeouts" && members.every((member) => member === null));
}
