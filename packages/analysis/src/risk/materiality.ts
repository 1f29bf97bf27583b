import { isReadOnly } from "../plan/computed.ts";
import { stays, updates, type MaterialChange, type ResourceChange } from "../plan/model.ts";

/**
 * Returns whether rules apply to a change. It must be of a managed resource, not only read, moved or imported. It
 * must not consist only of noise or provider-computed attributes.
 */
export function isMaterial(change: ResourceChange & Partial<MaterialChange>): boolean {
  const { mode, type, differences, allDifferences = differences } = change;
  if (mode === "data" || stays(change)) return false;
  if (!updates(change)) return true;
  // Without any difference, the change is in masked or pruned values.
  if (differences.length === 0) return allDifferences.length === 0;
  return !differences.every(({ unknown, path }) => unknown && isReadOnly(type, String(path[0])));
}
