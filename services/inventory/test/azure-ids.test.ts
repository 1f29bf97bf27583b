import { afterAll, beforeAll, expect, test } from "bun:test";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { GetResource } from "@leeway/shared/contracts/inventory/resources";
import { failureOf } from "@leeway/shared/testing/testing";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
const idIn = (group: string) =>
  `/subscriptions/${SUBSCRIPTION}/resourceGroups/${group}/providers/Microsoft.Storage/storageAccounts/shop`;
const ID = idIn("my-rg");
const rowsIn = (...groups: string[]) => ({
  data: groups.map((group) => ({
    id: idIn(group),
    type: "microsoft.storage/storageaccounts",
    location: "westeurope",
  })),
});

async function start() {
  const org = newOrg(inventory);
  const account = await org.account("azure", SUBSCRIPTION);
  const changes = async () => {
    const { data } = await inventory.call(ListDriftChanges, {
      org_id: org.id,
      account_id: account.id,
      limit: 500,
    });
    return data.map(({ fingerprint, seen_count }) => ({ fingerprint, seen_count }));
  };
  return { org, account, changes };
}

test("a resource listed again in another case is the same and keeps its first id", async () => {
  const { org, account, changes } = await start();
  await org.pushListing(account, rowsIn("my-rg"));
  const [before] = await org.resources();
  const [first] = await changes();
  expect(first).toBeDefined();
  expect((await org.pushListing(account, rowsIn("MY-RG"))).stats).toMatchObject({ created: 0, gone: 0 });
  expect(await org.resources()).toMatchObject([
    { id: before!.id, provider_resource_id: ID, first_seen_at: before!.first_seen_at },
  ]);
  expect(await changes()).toEqual([{ fingerprint: first!.fingerprint, seen_count: 2 }]);
});

test("a listing with one id in two cases has one resource", async () => {
  const { org, account } = await start();
  for (const created of [1, 0]) {
    const { stats } = await org.pushListing(account, rowsIn("my-rg", "MY-RG"));
    expect(stats).toMatchObject({ created, gone: 0 });
  }
  expect(await org.resources()).toHaveLength(1);
});

test("an id finds its resource in any case", async () => {
  const { org, account } = await start();
  await org.pushListing(account, rowsIn("my-rg"));
  const asked = { org_id: org.id, resource_id: idIn("MY-RG").toUpperCase() };
  expect(await inventory.call(GetResource, asked)).toMatchObject({ provider_resource_id: ID });
});

test("a subscription is one account in any case, and shown as it was entered", async () => {
  const org = newOrg(inventory);
  expect(await org.account("azure", SUBSCRIPTION.toUpperCase())).toMatchObject({
    external_id: SUBSCRIPTION.toUpperCase(),
  });
  expect(await failureOf(org.account("azure", SUBSCRIPTION))).toMatchObject({ code: "conflict" });
});
