import type { DeclaredRow } from "@leeway/drift/estate/declared";

/** Returns the declarations outside modules of the state whose code new code joins: the named one, or the only one. */
export function besideIn(
  declared: readonly DeclaredRow[],
  states: readonly string[],
  into: string | undefined,
): DeclaredRow[] {
  const state = into ?? (states.length === 1 ? states[0] : undefined);
  return declared.filter(
    ({ sourceId, moduleAddress, isInline }) => sourceId === state && moduleAddress === undefined && !isInline,
  );
}
