import { afterAll, beforeAll, expect } from "bun:test";

import { ListDriftChanges, type DriftChange } from "@leeway/shared/contracts/inventory/drift";

import { newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

export const ACCOUNT = "123456789012";

export type Declared = Parameters<typeof tfstate>[0][number];
type Org = ReturnType<typeof newOrg>;

/** An inventory that computes drift, for the tests of one file. */
export function drifting() {
  let inventory: TestInventory;
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(() => inventory.stop());

  async function changesOf(org: Org): Promise<DriftChange[]> {
    return (await inventory.call(ListDriftChanges, { org_id: org.id, limit: 100 })).data;
  }
  return {
    newOrg: () => newOrg(inventory),
    changesOf,
    /** What is told of an account with this state and this listing. */
    async changesBetween(
      declared: readonly Declared[],
      listing: object | string,
      [provider, id]: readonly [string, string] = ["aws", ACCOUNT],
    ): Promise<DriftChange[]> {
      const org = newOrg(inventory);
      const account = await org.account(provider, id);
      await org.pushState(await org.source("main", account.id), tfstate(declared));
      expect((await org.pushListing(account, listing)).status).toBe("succeeded");
      return changesOf(org);
    },
  };
}
