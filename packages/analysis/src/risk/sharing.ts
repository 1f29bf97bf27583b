import { isObject, type Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import { textsOf } from "./attribute-values.ts";
import { isTrust, statementsOf } from "./policy.ts";
import { added, type Trait } from "./subject.ts";
import { concernsStateful, oneOf } from "./types.ts";
import { shown } from "./values.ts";

/** Attributes that name accounts which may copy a resource's data. */
const SHARES: readonly { isFor: ReturnType<typeof oneOf>; attribute: string }[] = [
  {
    isFor: oneOf(["aws_snapshot_create_volume_permission", "aws_ami_launch_permission"]),
    attribute: "account_id",
  },
  {
    isFor: oneOf(["aws_*snapshot", "aws_*snapshot_copy"]),
    attribute: "shared_accounts",
  },
];

const ACCOUNT = /^(?:arn:[^:]{1,20}:[^:]{0,40}:[^:]{0,40}:)?(\d{12})(?::|$)/;

/** Returns the accounts that can newly copy or read a resource's data. */
export function newShares(type: string, change: ResourceChange): Trait[] {
  if (!concernsStateful(type)) return [];
  return added(change, (side) => [...sharedAccounts(type, side), ...foreignAccounts(side)]);
}

function sharedAccounts(type: string, side: Json): Trait[] {
  if (!isObject(side)) return [];
  return SHARES.filter(({ isFor }) => isFor(type)).flatMap(({ attribute }) => {
    const accounts = textsOf(side[attribute]);
    // Data shared with everyone is public, which is a separate finding.
    if (accounts.includes("all")) return [];
    return accounts
      .filter((account) => ACCOUNT.test(account))
      .map((account) => ({ key: shown(account), path: [attribute] }));
  });
}

/** Returns other accounts that a policy allows, if it names the resource's own account. */
function foreignAccounts(side: Json): Trait[] {
  if (!isObject(side)) return [];
  const around = Object.values(side).flatMap((value) => (typeof value === "string" ? arnsIn(value) : []));
  return statementsOf(side)
    .filter((one) => !one.narrowed && !isTrust(one))
    .flatMap(({ path, principals, resources }) => {
      const own = new Set([...around, ...resources.flatMap(accountsIn)]);
      return principals
        .flatMap(accountsIn)
        .filter((account) => own.size > 0 && !own.has(account))
        .map((account) => ({ key: account, path }));
    });
}

function accountsIn(name: string): string[] {
  const account = ACCOUNT.exec(name)?.[1];
  return account === undefined ? [] : [account];
}

function arnsIn(value: string): string[] {
  return value.startsWith("arn:") ? accountsIn(value) : [];
}
