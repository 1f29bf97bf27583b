import type { DeclaredRow } from "./declared.ts";
import type { LiveAccount } from "./live-account.ts";

/** Why nothing can be said about a declared resource. */
export type UnobservedReason =
  | "account_not_listed"
  | "type_not_listed"
  | "not_identified"
  | "untagged"
  | "incomplete_listing"
  | "contested"
  | "ambiguous";

/** Everything about an estate's matches that decides whether a resource is missing. */
interface Sight {
  accounts: readonly LiveAccount[];
  contested: ReadonlySet<string>;
  ambiguous: ReadonlySet<string>;
}

/**
 * Returns why a declared resource without a live one is unobserved; undefined if it is missing. The database's view
 * `declared_resources` has the same rules.
 */
export function unobservedBecause(row: DeclaredRow, sight: Sight): UnobservedReason | undefined {
  const own = sight.accounts.find(({ cloud, namedAs }) => cloud === row.cloud && namedAs === row.account);
  return unlisted(row, own, sight) ?? unproven(row, own, sight);
}

/** Returns why no listing can show the resource. */
function unlisted(
  row: DeclaredRow,
  own: LiveAccount | undefined,
  { accounts }: Sight,
): UnobservedReason | undefined {
  if (row.account !== undefined && !own) return "account_not_listed";
  const places = own ? [own] : accounts.filter(({ cloud }) => cloud === row.cloud);
  if (places.length === 0) return "account_not_listed";
  return places.some((account) => shows(account, row)) ? undefined : "type_not_listed";
}

/** Returns why its absence from the listings proves nothing. */
function unproven(
  row: DeclaredRow,
  own: LiveAccount | undefined,
  { contested, ambiguous }: Sight,
): UnobservedReason | undefined {
  if (row.isUnsure) return "not_identified";
  if (own?.taggedOnly === true && !row.isTagged) return "untagged";
  if (own?.goesOn !== undefined) return "incomplete_listing";
  if (contested.has(row.id)) return "contested";
  return ambiguous.has(row.id) ? "ambiguous" : undefined;
}

/** Whether listings of an account show a type: those of a cloud all that it lists, other ones what they contain. */
function shows({ cloud, types, scope }: LiveAccount, { isListed, canonicalType }: DeclaredRow): boolean {
  const isShown = types.has(canonicalType);
  return scope === "all" ? isShown || (isListed && cloud.provider !== "other") : isShown;
}
