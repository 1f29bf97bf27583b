import { adoptRows, takenBy, type StoredToAdopt } from "@leeway/drift/adopt/stored";
import type { DeclaredRow } from "@leeway/drift/estate/declared";
import type { LiveAccount, LiveResource } from "@leeway/drift/estate/live-account";
import { matchEstate, type AccountMatches } from "@leeway/drift/estate/match";
import type { Adoption, AdoptionTool } from "@leeway/shared/contracts/inventory/adoptions";

interface Selection {
  declared: readonly DeclaredRow[];
  /** Declarations in the code that the new code joins. */
  beside: readonly DeclaredRow[];
  /** Ids, names and types; empty for all undeclared resources. */
  only: readonly string[];
  tool?: AdoptionTool;
}

/** Turns the undeclared resources of accounts into code. */
export function adoptEstate(
  accounts: readonly LiveAccount[],
  { declared, beside, only, tool }: Selection,
): Adoption {
  const { matches } = matchEstate(accounts, declared);
  const rows = accounts.flatMap((account) => {
    const own = matches.get(account);
    return account.resources
      .filter((live) => isSelected(live, only))
      .map((live) => rowOf(live, account, own))
      .filter(({ taken }) => only.length > 0 || taken === undefined);
  });
  return adoptRows(rows, beside, tool);
}

function isSelected(
  { providerResourceId, name, providerType }: LiveResource,
  only: readonly string[],
): boolean {
  return only.length === 0 || only.some((one) => [providerResourceId, name, providerType].includes(one));
}

function rowOf(live: LiveResource, account: LiveAccount, own: AccountMatches | undefined): StoredToAdopt {
  const { provider } = account.cloud;
  return {
    id: live.providerResourceId,
    provider,
    account: account.namedAs,
    providerType: live.providerType,
    providerResourceId: live.providerResourceId,
    region: live.region,
    name: live.name,
    tags: live.tags,
    properties: live.properties,
    taken: takenBy(provider, {
      address: own?.declaredOf.get(live.id)?.address,
      exclusion: live.exclusion,
      isOwned: own?.owned.has(live.id) === true,
    }),
  };
}
