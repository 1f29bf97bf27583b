import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

/**
 * Returns an attribute's path without indices and keys: `ingress.*.cidr_blocks`, `tags.*`. Plans have no schema, so a
 * name right below another counts as a map key: keys may be private data.
 */
export function pathPattern(path: Path): string {
  return path.map((step, index) => (isName(path, index) ? step : "*")).join(".");
}

function isName(path: Path, index: number): boolean {
  return typeof path[index] === "string" && typeof path[index - 1] !== "string";
}

/** Checks whether a path ends with a map key. */
export function isKey(path: Path): boolean {
  return typeof path.at(-1) === "string" && typeof path.at(-2) === "string";
}

/** Returns the attribute's name: the last step that isn't an index or map key; empty if there is none. */
export function attributeName(path: Path): string {
  const name = path.findLast((_, index) => isName(path, index));
  return typeof name === "string" ? name : "";
}
