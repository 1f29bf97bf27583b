import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of a process and its descendants, without `others` and theirs. Linux only. */
export function descendantsOf(id: number, others: ReadonlySet<number> = new Set()): number[] {
  const children = Map.groupBy(
    readdirSync("/proc").filter((name) => /^\d+$/.test(name)),
    (name) => Number(statOf(name)[1]),
  );
  const found = [id];
  // `found` grows while this loop runs.
  for (const parent of found)
    for (const child of (children.get(parent) ?? []).map(Number)) if (!others.has(child)) found.push(child);
  return found;
}

/**
 * Returns the fields of `/proc/<id>/stat` after the name: state, parent, and so on (proc(5)). Empty if the process has
 * ended.
 */
export function statOf(id: number | string): string[] {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
