import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { UpdateAccount } from "@leeway/shared/contracts/inventory/accounts";
import { UpdateSource } from "@leeway/shared/contracts/inventory/sources";
import { failureOf } from "@leeway/shared/testing/testing";

import { ndjson, newOrg, startInventory, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const AWS = "must be the 12-digit AWS account id";
const GCP =
  "must be the Google Cloud project number or project id: 6 to 30 lower-case letters, digits and hyphens, starting with a letter";
const AZURE = "must be the Azure subscription id, a UUID such as 0b1f6471-1bf0-4dda-aec3-cb9272f09590";

describe("an account id", () => {
  test.each([
    ["aws", "my-account", AWS],
    ["aws", "12345678901", AWS],
    ["aws", "1234567890123", AWS],
    ["aws", "1234-5678-9012", AWS],
    ["aws", "arn:aws:iam::123456789012:root", AWS],
    ["gcp", "shop", GCP],
    ["gcp", "Shop-Prod", GCP],
    ["gcp", "shop_prod", GCP],
    ["gcp", "1shop-prod", GCP],
    ["gcp", "shop-prod-", GCP],
    ["gcp", "projects/shop-prod", GCP],
    ["gcp", `s${"h".repeat(30)}`, GCP],
    ["gcp", "12345", GCP],
    ["gcp", "example.com:", GCP],
    ["azure", "production", AZURE],
    ["azure", "0b1f64711bf04ddaaec3cb9272f09590", AZURE],
    ["azure", "/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590", AZURE],
  ])("of %s can't be %s", async (provider, id, says) => {
    expect(await failureOf(newOrg(inventory).account(provider, id))).toMatchObject({
      code: "invalid_parameter",
      message: `external_id ${says}`,
      details: [{ field: "external_id", code: "invalid", message: says }],
    });
  });

  test.each([
    ["aws", "123456789012"],
    ["aws", "000000000001"],
    ["gcp", "shop-1"],
    ["gcp", `s${"h".repeat(29)}`],
    ["gcp", "example.com:shop"],
    ["gcp", "123456789"],
    ["gcp", "1234567890123"],
    ["azure", "0b1f6471-1bf0-4dda-aec3-cb9272f09590"],
    ["azure", "0B1F6471-1BF0-4DDA-AEC3-CB9272F09590"],
    ["cloudflare", "my account's zone".replaceAll(" ", "-")],
  ])("of %s can be %s", async (provider, id) => {
    expect(await newOrg(inventory).account(provider, id)).toMatchObject({ provider, external_id: id });
  });

  test("stored before ids had a required form still works", async () => {
    const org = newOrg(inventory);
    const account = { id: Bun.randomUUIDv7() };
    await inventory.test.admin`
      insert into inventory.cloud_accounts (org_id, id, provider, cloud, external_id)
      values (${org.id}, ${account.id}, 'aws', 'aws', 'my-account')
    `;
    const named = { org_id: org.id, account_id: account.id, name: "production" };
    expect(await inventory.call(UpdateAccount, named)).toMatchObject({ external_id: "my-account" });
    const queue = {
      provider_resource_id: "arn:aws:sqs:eu-west-1:123456789012:jobs",
      provider_type: "AWS::SQS::Queue",
    };
    const scan = await org.pushListing(account, ndjson([queue]));
    expect(scan).toMatchObject({ status: "succeeded", stats: { seen: 1 } });
  });
});

describe("a conflict names the existing object", () => {
  test("by account id", async () => {
    const org = newOrg(inventory);
    const { id } = await org.account("azure", "0b1f6471-1bf0-4dda-aec3-cb9272f09590");
    const again = org.account("azure", "0B1F6471-1BF0-4DDA-AEC3-CB9272F09590");
    expect(await failureOf(again)).toMatchObject({ code: "conflict", fields: { id } });
  });

  test("by source id, also when another source is renamed to its name", async () => {
    const org = newOrg(inventory);
    const { id } = await org.source("network/prod");
    expect(await failureOf(org.source("network/prod"))).toMatchObject({ code: "conflict", fields: { id } });
    const other = await org.source("network/test");
    const renamed = { org_id: org.id, source_id: other.id, name: "network/prod" };
    expect(await failureOf(inventory.call(UpdateSource, renamed))).toMatchObject({
      code: "conflict",
      fields: { id },
    });
  });
});
