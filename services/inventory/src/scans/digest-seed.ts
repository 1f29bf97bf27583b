import type { ListedAccount } from "@leeway/clouds/listings/named-accounts";

import { hashOfCode } from "../code-hash.ts";

/** Code and tables that turn a row of a listing into a live resource. */
export const READING = "packages/{clouds,shared}/src/**/*.{ts,tsv,json}";

let code: Promise<bigint> | undefined;

/**
 * Returns the seed for the digests of an account's rows. Another release has another seed, so that its first listing
 * reads every row again.
 */
export async function digestSeed({ provider, external_id }: ListedAccount): Promise<bigint> {
  code ??= hashOfCode(READING);
  return Bun.hash.wyhash(`${provider} ${external_id}`, await code);
}
