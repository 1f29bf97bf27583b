import { afterAll, beforeAll, expect, test } from "bun:test";

import { failureOf } from "@leeway/shared/testing/testing";

import { newOrg, startInventory, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

test("the number of cloud accounts per organization is limited to 10,000", async () => {
  const [org, other] = [newOrg(inventory), newOrg(inventory)];
  await org.account("aws", "123456789012");
  await inventory.test.admin`
    insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
    select ${org.id}, gen_random_uuid(), 'aws', 'aws', lpad(n::text, 12, '0') from generate_series(1, 9999) n
  `;
  expect(await failureOf(org.account("aws", "210987654321"))).toMatchObject({
    code: "conflict",
    message: "the organization already has 10000 cloud accounts; delete one first",
  });
  expect(await other.account("aws", "210987654321")).toMatchObject({ external_id: "210987654321" });
});

test("the number of IaC sources per organization is limited to 10,000", async () => {
  const [org, other] = [newOrg(inventory), newOrg(inventory)];
  await org.source("main");
  await inventory.test.admin`
    insert into inventory.iac_sources (org_id, id, name)
    select ${org.id}, gen_random_uuid(), n::text from generate_series(1, 9999) n
  `;
  expect(await failureOf(org.source("more"))).toMatchObject({
    code: "conflict",
    message: "the organization already has 10000 IaC sources; delete one first",
  });
  expect(await other.source("main")).toMatchObject({ name: "main" });
});
