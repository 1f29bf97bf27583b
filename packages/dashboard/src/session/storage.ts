/** What the browser keeps for this tab, or for longer; undefined in one that is set to keep nothing. */
export function storageOf(kind: "sessionStorage" | "localStorage"): Storage | undefined {
  try {
    return globalThis[kind];
  } catch {
    return undefined;
  }
}
