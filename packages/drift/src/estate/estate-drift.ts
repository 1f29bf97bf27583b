import { gcp } from "@leeway/clouds/gcp/gcp";
import { allGrantTypes } from "@leeway/clouds/gcp/grant-types";
import type { RiskLevel, RiskProfile } from "@leeway/shared/contracts/analyzer/analysis";

import { comparePairs } from "../changes/compare-pairs.ts";
import type { ChangeContent, FoundChange } from "../changes/found-change.ts";
import { missingChange } from "../changes/missing.ts";
import type { StoredDeclared, StoredPair } from "../changes/pair.ts";
import type { GrantOptions } from "../changes/undeclared-grants.ts";
import { undeclaredResources, type UndeclaredRow } from "../changes/undeclared-resources.ts";
import type { DeclaredRow } from "./declared.ts";
import type { LiveAccount, LiveResource } from "./live-account.ts";
import { matchEstate, type AccountMatches } from "./match.ts";
import { partsIn } from "./parts.ts";
import { unobservedBecause, type UnobservedReason } from "./presence.ts";

/** A difference between an account and its code. */
export interface EstateChange extends ChangeContent {
  kind: FoundChange["kind"];
  fingerprint: string;
  risk_level: RiskLevel;
  /** Whether all of it is noise. */
  is_noise: boolean;
}

export interface AccountDrift {
  account: LiveAccount;
  /** Numbers of live resources by status, and of its declared resources that aren't live. */
  counts: {
    live: number;
    matched: number;
    undeclared: number;
    /** Undeclared resources of a type without a mapping. */
    unchecked: number;
    excluded: number;
    missing: number;
  };
  changes: EstateChange[];
}

export interface EstateDrift {
  accounts: AccountDrift[];
  /** Missing resources whose account is unknown. */
  unplaced: EstateChange[];
  /** Declared resources of which nothing can be said. */
  unobserved: { row: DeclaredRow; reason: UnobservedReason }[];
}

/** Finds the drift between live accounts and the states that declare them, as the server does for an organization. */
export async function driftOfEstate(
  accounts: readonly LiveAccount[],
  declared: readonly DeclaredRow[],
  profile: RiskProfile,
): Promise<EstateDrift> {
  const { matches, contested } = matchEstate(accounts, declared);
  const all = [...matches.values()];
  const found = new Set(all.flatMap((one) => [...one.found]));
  const ambiguous = new Set(all.flatMap((one) => [...one.ambiguous]));
  const unobserved: EstateDrift["unobserved"] = [];
  const missing: DeclaredRow[] = [];
  for (const row of declared) {
    if (row.isInline || (found.has(row.id) && !contested.has(row.id))) continue;
    const reason = unobservedBecause(row, { accounts, contested, ambiguous });
    if (reason === undefined) missing.push(row);
    else unobserved.push({ row, reason });
  }
  const places = new Map(missing.map((row) => [row, accounts.find((account) => isIn(row, account))]));
  const areGrantsKnown = !declared.some(isUnknownGrant);
  const drifts: AccountDrift[] = [];
  for (const [account, own] of matches) {
    const lost = missing.filter((row) => places.get(row) === account);
    drifts.push(await driftOfAccount({ account, own, lost }, { declared, found, areGrantsKnown, profile }));
  }
  const unplaced = missing.filter((row) => places.get(row) === undefined);
  return { accounts: drifts, unplaced: unplaced.map((row) => opened(missingChange(row, ""))), unobserved };
}

function isIn({ cloud, account: named }: DeclaredRow, { cloud: own, namedAs }: LiveAccount): boolean {
  return cloud === own && named === namedAs;
}

/** Whether a grant's resource is unknown, so that the grant itself would look undeclared. */
function isUnknownGrant({ canonicalType, isInline, attributes, wholeKeys }: DeclaredRow): boolean {
  return (
    allGrantTypes().has(canonicalType) && !isInline && attributes !== undefined && wholeKeys.length === 0
  );
}

interface MatchedAccount {
  account: LiveAccount;
  own: AccountMatches;
  /** Its missing resources. */
  lost: readonly DeclaredRow[];
}

interface Estate {
  declared: readonly DeclaredRow[];
  /** Ids of declarations with a live resource anywhere. */
  found: ReadonlySet<string>;
  areGrantsKnown: boolean;
  profile: RiskProfile;
}

async function driftOfAccount(
  { account, own, lost }: MatchedAccount,
  { declared, found, areGrantsKnown, profile }: Estate,
): Promise<AccountDrift> {
  const options: GrantOptions = { profile, accountId: account.id, disabledRules: [] };
  const parts = partsIn(account, declared);
  const stored = (row: DeclaredRow): StoredDeclared[] => storedOf(row, found.has(row.id));
  const partsOf = ({ id }: LiveResource): StoredDeclared[] => (parts.get(id) ?? []).flatMap(stored);
  const pairs = account.resources.flatMap((live) => {
    const whole = own.owned.has(live.id) ? undefined : own.declaredOf.get(live.id);
    return pairsAt(live, whole ? stored(whole)[0] : undefined, partsOf(live));
  });
  const compared = comparePairs(pairs, [], options);
  const undeclared = account.resources.filter(
    ({ id, exclusion }) => !own.declaredOf.has(id) && exclusion === undefined,
  );
  const gone = new Set(compared.gone);
  const changes = [
    ...compared.found,
    ...(areGrantsKnown ? compared.granted : []),
    ...lost.filter(({ id }) => !gone.has(id)).map((row) => missingChange(row, account.id)),
    ...(await undeclaredResources(
      undeclared.map((live) => undeclaredRow(live, account, partsOf(live))),
      { ...options, areGrantsKnown: areGrantsKnown && account.cloud === gcp },
    )),
  ];
  const excluded = account.resources.filter(
    ({ id, exclusion }) => !own.declaredOf.has(id) && exclusion !== undefined,
  ).length;
  return {
    account,
    changes: changes.map(opened),
    counts: {
      live: account.resources.length - excluded,
      matched: own.declaredOf.size,
      undeclared: undeclared.length,
      unchecked: undeclared.filter(({ isMapped }) => !isMapped).length,
      excluded,
      missing: lost.length,
    },
  };
}

function pairsAt(
  live: LiveResource,
  whole: StoredDeclared | undefined,
  parts: readonly StoredDeclared[],
): StoredPair[] {
  if (live.properties === undefined) return [];
  const side = { ...live, properties: live.properties, enrichedAt: undefined };
  return [
    ...(whole ? [{ live: side, declared: whole, isPart: false, parts }] : []),
    // A part with a live resource of its own is compared with that.
    ...parts
      .filter((part) => !part.isListed)
      .map((part) => ({ live: side, declared: part, isPart: true, parts })),
  ];
}

/** Returns a declaration for comparison; empty if its type can't be compared. */
function storedOf(
  { id, sourceId, type, address, moduleAddress, providerName, attributes }: DeclaredRow,
  isListed: boolean,
): StoredDeclared[] {
  if (attributes === undefined) return [];
  return [{ id, sourceId, type, address, moduleAddress, providerName, attributes, isListed }];
}

function undeclaredRow(
  { id, providerType, providerResourceId, name, properties }: LiveResource,
  { cloud: { provider } }: LiveAccount,
  parts: readonly StoredDeclared[],
): UndeclaredRow {
  return { id, provider, providerType, providerResourceId, name, properties, parts };
}

function opened({ kind, fingerprint, riskLevel, hidden, content }: FoundChange): EstateChange {
  const known: ChangeContent = JSON.parse(content);
  return { kind, fingerprint, risk_level: riskLevel, is_noise: hidden, ...known };
}
