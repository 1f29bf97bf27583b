/** Returns the browser's storage for this tab, or the persistent one; undefined if the browser disables storage. */
export function storageOf(kind: "sessionStorage" | "localStorage"): Storage | undefined {
  try {
    return globalThis[kind];
  } catch {
    return undefined;
  }
}
