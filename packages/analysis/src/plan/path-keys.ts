import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

/** Returns a unique text for a path. */
export const pathKey = (path: Path): string => JSON.stringify(path);

/** Returns the keys of paths and of all their ancestors, for fast lookups. */
export function keysInto(paths: readonly Path[]): ReadonlySet<string> {
  return new Set(paths.flatMap(keysAlong));
}

/** Returns the keys of a path and of all its ancestors. */
export function keysAlong(path: Path): string[] {
  return Array.from({ length: path.length + 1 }, (_, length) => pathKey(path.slice(0, length)));
}
