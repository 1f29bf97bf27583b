import type { Pair } from "./model.ts";

/** The pairs that count among all pairs of an account. */
export interface ChosenPairs {
  /** One pair of each matched live resource, by its id. */
  byLive: ReadonlyMap<string, Pair>;
  /** Ids of live resources that several declarations match. */
  conflicts: ReadonlySet<string>;
}

/**
 * Chooses the first pair of each live resource; pairs come in the order of reliability. Between equally reliable ones,
 * the oldest source comes first, then the oldest declaration. Contested pairs don't count.
 */
export function choose(pairs: readonly Pair[]): ChosenPairs {
  const byLive = new Map<string, Pair>();
  const conflicts = new Set<string>();
  for (const pair of pairs) {
    if (pair.declared.contested) continue;
    const first = byLive.get(pair.liveId);
    if (!first || isElder(pair, first)) byLive.set(pair.liveId, pair);
    if (first && !pair.declared.inline) conflicts.add(pair.liveId);
  }
  return { byLive, conflicts };
}

function isElder(pair: Pair, than: Pair): boolean {
  const { declared, level } = than;
  return (
    pair.level === level &&
    pair.declared.inline === declared.inline &&
    `${pair.declared.sourceId} ${pair.declared.id}` < `${declared.sourceId} ${declared.id}`
  );
}
