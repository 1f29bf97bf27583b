import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

import { fixedOf } from "./derived/table.ts";
import { mapperOf } from "./tables.ts";
import { TAG_NAMES } from "./tags.ts";

/** Attributes with the tags of a resource and of its provider, which only the provider sets. */
const COMPUTED_TAGS = new Set(["tags_all", "effective_labels", "terraform_labels"]);

/**
 * Returns the beginnings of paths, without indices, that a configuration can set as far as the tables know: they list
 * what providers accept.
 */
export function settableIn(type: string, paths: readonly Path[]): string[] {
  const rows = mapperOf(type)?.rows ?? {};
  const names = new Set(paths.flatMap(beginningsOf));
  return [...names].filter((name) => Object.hasOwn(rows, name) || isTags(name));
}

/**
 * Returns the attributes of these paths that can't be changed in place, as far as the schemas and documents say: applying
 * code with another value replaces the resource. A marked block can have attributes that are changed in place.
 */
export function replacingIn(type: string, paths: readonly Path[]): string[] {
  const fixed = fixedOf(type);
  const names = paths.map((path) => beginningsOf(path).findLast((name) => fixed.has(name)));
  return [...new Set(names.flatMap((name = "") => (fixed.get(name) === true ? [name] : [])))];
}

const isTags = (name: string): boolean => TAG_NAMES.includes(name) && !COMPUTED_TAGS.has(name);

function beginningsOf(path: Path): string[] {
  const names = path.filter((step) => typeof step === "string");
  return names.map((_, index) => names.slice(0, index + 1).join("."));
}
