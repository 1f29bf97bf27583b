import { isObject, text, type Json } from "@leeway/shared/values/json";

import type { ResourceChange } from "../plan/model.ts";
import type { Right } from "./admin-rights.ts";
import { isTrust, statementsOf } from "./policy.ts";
import { added } from "./subject.ts";
import { shown } from "./values.ts";

/** Returns accounts that a role didn't trust before, and anyone. */
export function newTrusts(change: ResourceChange): Right[] {
  const trusted = (side: Json): Right[] =>
    statementsOf(side)
      .filter(isTrust)
      .flatMap(({ path, principals, narrowed, hasSubject }) =>
        principals.flatMap((principal) => {
          if (principal === "*") return narrowed ? [] : [{ path, key: principal, text: TRUSTS_ANYONE }];
          const provider = /:oidc-provider\/(.+)$/.exec(principal)?.[1];
          if (provider !== undefined && !hasSubject) {
            const text = `Lets any identity of ${shown(provider)} assume this role`;
            return [{ path, key: ANY_IDENTITY + provider, text }];
          }
          const account = accountOf(principal);
          if (account === undefined) return [];
          return [{ path, key: account, text: `Lets account ${account} assume this role` }];
        }),
      );
  const own = accountOf(ownArn(change.before) ?? ownArn(change.after) ?? "");
  // The plan that creates a role doesn't know its account, so no other account can be called foreign.
  return added(change, trusted).filter(
    ({ key }) => key === "*" || key.startsWith(ANY_IDENTITY) || (own !== undefined && key !== own),
  );
}

const ANY_IDENTITY = "any identity of ";

const TRUSTS_ANYONE = "Lets anyone (*) assume this role";

function ownArn(side: Json): string | undefined {
  return isObject(side) ? text(side, "arn") : undefined;
}

function accountOf(principal: string): string | undefined {
  return /^(?:arn:[^:]*:[^:]*:[^:]*:)?(\d{12})(?::|$)/.exec(principal)?.[1];
}
