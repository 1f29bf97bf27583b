import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Transaction } from "@leeway/shared/database/database";

import { digestSeed } from "./digest-seed.ts";
import type { Incoming } from "./read-pieces.ts";
import { listedAs } from "./store/account.ts";
import { storedRows } from "./store/digests.ts";
import { takeAgain } from "./take-again.ts";
import { takeWhole } from "./take-whole.ts";
import type { TakenIn } from "./taken-in.ts";

/** A pushed listing, which may be read twice. */
interface Arrival {
  account: CloudAccount;
  scanId: string;
  open(): Promise<Incoming["body"]>;
}

/**
 * Reads a listing and compares it with the account's resources, without `lockMatching`. If it is known from which rows
 * they were stored, only the others are read.
 */
export async function takeIn(
  tx: Transaction,
  { account, scanId, open }: Arrival,
  onProgress: (seen: number) => void,
): Promise<TakenIn> {
  const listed = await listedAs(tx, account);
  const seed = await digestSeed(listed);
  const known = await storedRows(tx, account.id, seed);
  const incoming = { orgId: tx.orgId, account: listed };
  if (known) {
    const listing = { accountId: account.id, seed, incoming: { ...incoming, known, body: await open() } };
    const taken = await takeAgain(tx, listing, onProgress);
    if (taken) return taken;
  }
  const listing = { accountId: account.id, scanId, seed, incoming: { ...incoming, body: await open() } };
  return takeWhole(tx, listing, onProgress);
}
