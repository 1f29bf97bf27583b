import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

/**
 * Where an attribute stands, whatever its index or key: `ingress.*.cidr_blocks`, `tags.*`. A plan tells no schema: a
 * name right below another name is taken for a map's key, since keys may be data and must not be told.
 */
export function pathPattern(path: Path): string {
  return path.map((step, index) => (isName(path, index) ? step : "*")).join(".");
}

function isName(path: Path, index: number): boolean {
  return typeof path[index] === "string" && typeof path[index - 1] !== "string";
}

/** Whether a path ends at a key of a map. */
export function isKey(path: Path): boolean {
  return typeof path.at(-1) === "string" && typeof path.at(-2) === "string";
}

/** The attribute's own name: the last step that is neither an index nor a map's key; empty when there is none. */
export function attributeName(path: Path): string {
  const name = path.findLast((_, index) => isName(path, index));
  return typeof name === "string" ? name : "";
}
