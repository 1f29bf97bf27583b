import type { MatchKey } from "@leeway/clouds/cloud";
import { choose } from "@leeway/clouds/matching/choose";
import { createMatcher } from "@leeway/clouds/matching/matcher";
import type { Declared } from "@leeway/clouds/matching/model";

import type { DeclaredRow } from "./declared.ts";
import type { LiveAccount, LiveResource } from "./live-account.ts";
import { liveByKey } from "./parts.ts";

/** Number of owners to follow, such as from a volume to its instance and to the instance's group. */
const OWNER_STEPS = 3;

export interface AccountMatches {
  /** Declaration of each matched live resource, by the live resource's id. */
  declaredOf: ReadonlyMap<string, DeclaredRow>;
  /** Ids of live resources that are declared only through their owner. */
  owned: ReadonlySet<string>;
  /** Ids of all declarations with a live resource here. */
  found: ReadonlySet<string>;
  /** Ids of declarations that may be one of several live resources. */
  ambiguous: ReadonlySet<string>;
}

/**
 * Matches accounts with declarations. A declaration that names no account and that several accounts have is contested:
 * it matches in none.
 * @returns the matches of each account, and the ids of contested declarations
 */
export function matchEstate(
  accounts: readonly LiveAccount[],
  declared: readonly DeclaredRow[],
): { matches: ReadonlyMap<LiveAccount, AccountMatches>; contested: ReadonlySet<string> } {
  const matchAll = (contested: ReadonlySet<string>): Map<LiveAccount, AccountMatches> =>
    new Map(accounts.map((account) => [account, matchAccount(account, declared, contested)]));
  const first = matchAll(new Set());
  const counts = new Map<string, number>();
  for (const { found } of first.values()) for (const id of found) counts.set(id, (counts.get(id) ?? 0) + 1);
  const contested = new Set([...counts].filter(([, count]) => count > 1).map(([id]) => id));
  return { matches: contested.size === 0 ? first : matchAll(contested), contested };
}

function matchAccount(
  account: LiveAccount,
  all: readonly DeclaredRow[],
  contested: ReadonlySet<string>,
): AccountMatches {
  const candidates = all.filter(
    ({ cloud, keys, account: named }) =>
      cloud === account.cloud && keys.length > 0 && (named === undefined || named === account.namedAs),
  );
  const byId = new Map(candidates.map((row) => [row.id, row]));
  const matcher = createMatcher(
    candidates.map(({ id, sourceId, region, keys, isInline }): Declared => {
      return { id, sourceId, region, keys, inline: isInline, contested: contested.has(id) };
    }),
  );
  account.resources.forEach(matcher.see);
  const pairs = matcher.pairs();
  const ambiguous = new Set(matcher.ambiguous());
  const declaredOf = new Map<string, DeclaredRow>();
  for (const [liveId, { declared }] of choose(pairs).byLive) {
    const row = byId.get(declared.id);
    if (row) declaredOf.set(liveId, row);
  }
  return {
    owned: followOwners(account.resources, declaredOf),
    declaredOf,
    found: new Set(pairs.map(({ declared }) => declared.id)),
    ambiguous,
  };
}

/** Adds resources that a declared resource created. @returns their ids */
function followOwners(live: readonly LiveResource[], declaredOf: Map<string, DeclaredRow>): Set<string> {
  const owned = new Set<string>();
  const wanted = live.filter(({ ownerKeys }) => ownerKeys.length > 0);
  const byKey = liveByKey(live, new Set(wanted.flatMap(({ ownerKeys }) => ownerKeys)));
  for (let step = 0; step < OWNER_STEPS; step += 1) {
    const added = wanted.flatMap((resource) => {
      const owner = declaredOf.has(resource.id) ? undefined : declaredOwner(resource, byKey, declaredOf);
      return owner ? [{ id: resource.id, owner }] : [];
    });
    for (const { id, owner } of added) {
      declaredOf.set(id, owner);
      owned.add(id);
    }
    if (added.length === 0) break;
  }
  return owned;
}

/** Returns the declaration of the only declared resource with one of the owner's keys. */
function declaredOwner(
  { ownerKeys }: LiveResource,
  byKey: ReadonlyMap<MatchKey, readonly LiveResource[]>,
  declaredOf: ReadonlyMap<string, DeclaredRow>,
): DeclaredRow | undefined {
  const owners = new Set(
    ownerKeys.flatMap((key) => byKey.get(key) ?? []).filter(({ id }) => declaredOf.has(id)),
  );
  const [owner] = owners;
  return owners.size === 1 && owner ? declaredOf.get(owner.id) : undefined;
}
