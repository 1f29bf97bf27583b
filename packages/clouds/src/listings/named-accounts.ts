import { AppError } from "@leeway/shared/values/errors";

import type { Cloud, ListedResource } from "../cloud.ts";

/** Account that a listing belongs to. */
export interface ListedAccount {
  provider: string;
  external_id: string;
}

/** Account in a listing's rows, and its number of rows. */
interface OtherAccount {
  external_id: string;
  resources: number;
}

/** Accounts in a listing's rows. Rows without an account aren't counted. */
export interface AccountCounts {
  own: number;
  foreign: number;
  /** Other accounts, most rows first; truncated if there are very many. */
  others: OtherAccount[];
}

/** Max share of rows from other accounts. A listing above it is rejected as a mistake. */
const MAX_FOREIGN_SHARE = 0.1;
const MAX_TRACKED = 1_000;
const MAX_SHOWN = 20;
const MAX_IN_WORDS = 3;
const LONGEST_ID = 100;

/** Counts the accounts in rows. */
export class NamedAccounts {
  #own = 0;
  #foreign = 0;
  readonly #others = new Map<string, number>();
  readonly #cloud: Cloud;
  readonly #external: string;

  constructor(cloud: Cloud, { external_id }: ListedAccount) {
    this.#cloud = cloud;
    this.#external = external_id.toLowerCase();
  }

  get own(): number {
    return this.#own;
  }

  get foreign(): number {
    return this.#foreign;
  }

  /** Counts a row that is known to name the account. */
  addOwn(): void {
    this.#own += 1;
  }

  /** Counts a row. @returns whether it clearly names another account */
  takeForeign(resource: ListedResource): boolean {
    const named = resource.account ?? this.#cloud.accountOf(resource.provider_resource_id);
    if (named === undefined) return false;
    const account = named.toLowerCase();
    if (account === this.#external) {
      this.#own += 1;
      return false;
    }
    // A project number can't be compared with an account that was added by its project id.
    if (isNumber(account) !== isNumber(this.#external)) return false;
    this.#foreign += 1;
    this.#track(account.slice(0, LONGEST_ID));
    return true;
  }

  counts(): AccountCounts {
    const others = Array.from(this.#others, ([external_id, resources]) => ({ external_id, resources }));
    others.sort((a, b) => b.resources - a.resources || (a.external_id < b.external_id ? -1 : 1));
    return { own: this.#own, foreign: this.#foreign, others: others.slice(0, MAX_SHOWN) };
  }

  #track(account: string): void {
    const known = this.#others.get(account);
    if (known !== undefined || this.#others.size < MAX_TRACKED) this.#others.set(account, (known ?? 0) + 1);
  }
}

function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

/**
 * Rejects a listing of another account.
 * @param seen number of rows that may belong to this account, including rows without an account
 * @throws {AppError} `account_mismatch` with the accounts found
 */
export function refuseForeign(
  { seen, accounts: { own, foreign, others } }: { seen: number; accounts: AccountCounts },
  { external_id }: ListedAccount,
  allowForeign: boolean,
): void {
  if (foreign === 0) return;
  // If no row names this account and most name others, rows without an account probably belong to others, too.
  const isAll = own === 0 && foreign > seen;
  if (!isAll && (allowForeign || foreign <= MAX_FOREIGN_SHARE * (own + foreign))) return;
  const owned = isAll
    ? `all ${foreign} resources that name an account`
    : `${foreign} of the ${own + foreign} resources that name an account`;
  const advice = isAll
    ? "Push the listing to the account it belongs to."
    : "Push the listing to the account it belongs to, or add ?allow_foreign=true to accept only this account's rows.";
  throw new AppError(
    "account_mismatch",
    `other accounts own ${owned}: ${inWords(others)}. This account is ${external_id}. ${advice}`,
    { fields: { accounts: others.map((other) => ({ ...other })), own_resources: isAll ? 0 : seen } },
  );
}

function inWords(others: readonly OtherAccount[]): string {
  const shown = others.slice(0, MAX_IN_WORDS).map((other) => `${other.external_id} (${other.resources})`);
  return `${shown.join(", ")}${others.length > shown.length ? " and others" : ""}`;
}
