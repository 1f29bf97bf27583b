import type { Path } from "@leeway/shared/contracts/analyzer/analysis";

/** A path as a text that no other path has. */
export const pathKey = (path: Path): string => JSON.stringify(path);

/** The keys of paths and of all paths above them, so that many can be asked for at once. */
export function keysInto(paths: readonly Path[]): ReadonlySet<string> {
  return new Set(paths.flatMap(keysAlong));
}

/** The keys of a path and of all above it. */
export function keysAlong(path: Path): string[] {
  return Array.from({ length: path.length + 1 }, (_, length) => pathKey(path.slice(0, length)));
}
