import { describe, expect, test } from "bun:test";

import { DeleteAccount } from "@leeway/shared/contracts/inventory/accounts";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import { GetIacResource, GetSource } from "@leeway/shared/contracts/inventory/sources";

import {
  arn,
  declaredQueue,
  declaring,
  fates,
  matchedIn,
  postureOf,
  queue,
  TWO,
  type Org,
} from "./declaring.ts";
import { ndjson, tfstate } from "./kit.ts";

const { call, start } = declaring();

const THREE = "333333333333";
const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
const declared = (type: string, attributes: Record<string, unknown>) => ({ type, name: "x", attributes });
const matches = async (org: Org) =>
  (await org.declared()).map(({ match: { keys: _keys, ...match } }) => match);
const notConnected = (provider: string, external_id: string) => ({
  status: "unobserved" as const,
  reason: "account_not_connected" as const,
  account: { provider, external_id },
});

describe("a resource of an unconnected account", () => {
  test.each(["has another account", "has no account"])("isn't missing if its source %s", async (which) => {
    const { org, one, two } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(two, ndjson([queue("b", TWO)]));
    const source = await org.source("jobs", which === "has another account" ? one.id : undefined);
    await org.pushState(source, tfstate([declaredQueue("gone", THREE), declaredQueue("a", THREE)]));
    expect(await matches(org)).toEqual([notConnected("aws", THREE), notConnected("aws", THREE)]);
    const [{ id: resource_id } = { id: "" }] = await org.declared();
    expect(await call(GetIacResource, { org_id: org.id, resource_id })).toMatchObject({
      match: notConnected("aws", THREE),
    });
    for (const account of [one, two]) {
      expect(await postureOf(org, account)).toMatchObject({ missing_count: 0, risk_level: "none" });
    }
    expect(await call(GetSource, { org_id: org.id, source_id: source.id })).toMatchObject({
      missing_count: 0,
      unobserved_count: 2,
    });
    const { data } = await call(ListDriftChanges, { org_id: org.id, limit: 10, kind: "missing" });
    expect(data).toEqual([]);
  });

  test("includes all of its provider configuration, even without an account in its id", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const bucket = declared("aws_s3_bucket", { id: "assets", arn: "arn:aws:s3:::assets" });
    await org.pushState(await org.source("jobs", one.id), tfstate([bucket, declaredQueue("a", THREE)]));
    expect(await matches(org)).toEqual([notConnected("aws", THREE), notConnected("aws", THREE)]);
  });

  test.each([
    {
      provider: "gcp",
      connected: "shop-prod",
      resource: declared("google_pubsub_topic", { id: "projects/shop-test/topics/orders" }),
      named: "shop-test",
    },
    {
      provider: "azure",
      connected: SUBSCRIPTION.replace("0a1b", "ffff"),
      resource: declared("azurerm_virtual_network", {
        id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.Network/virtualNetworks/v`,
      }),
      named: SUBSCRIPTION,
    },
  ])("isn't missing in $provider either", async ({ provider, connected, resource, named }) => {
    const { org } = await start();
    const account = await org.account(provider, connected);
    await org.pushListing(account, ndjson([{ provider_resource_id: "x", provider_type: "acme.thing" }]));
    await org.pushState(await org.source("shop", account.id), tfstate([resource]));
    expect(await matches(org)).toEqual([notConnected(provider, named)]);
  });

  test("is compared only with that account's listings once it is connected", async () => {
    const { org, one } = await start();
    await org.pushListing(one, ndjson([queue("a")]));
    const state = tfstate([declaredQueue("gone", THREE), declaredQueue("there", THREE)]);
    await org.pushState(await org.source("jobs", one.id), state);
    const three = await org.account("aws", THREE);
    expect(await matches(org)).toEqual([{ status: "unobserved" }, { status: "unobserved" }]);
    expect(await postureOf(org, one)).toMatchObject({ missing_count: 0 });

    await org.pushListing(one, ndjson([queue("b")]));
    expect(await postureOf(org, one)).toMatchObject({ missing_count: 0 });

    await org.pushListing(three, ndjson([queue("there", THREE)]));
    expect(await matchedIn(org, three)).toEqual([arn("there", THREE)]);
    expect(await fates(org)).toEqual({ "aws_sqs_queue.gone": "missing", "aws_sqs_queue.there": "matched" });
    expect(await postureOf(org, one)).toMatchObject({ missing_count: 1 });

    await call(DeleteAccount, { org_id: org.id, account_id: three.id });
    expect(await matches(org)).toEqual([notConnected("aws", THREE), notConnected("aws", THREE)]);
    expect(await postureOf(org, one)).toMatchObject({ missing_count: 0 });
  });

  test("isn't called unconnected if the account may have another kind of name", async () => {
    const { org } = await start();
    const account = await org.account("gcp", "123456789");
    await org.pushListing(account, ndjson([{ provider_resource_id: "x", provider_type: "acme.thing" }]));
    const topic = declared("google_pubsub_topic", { id: "projects/shop-prod/topics/orders" });
    await org.pushState(await org.source("shop", account.id), tfstate([topic]));
    expect(await matches(org)).toEqual([{ status: "unobserved" }]);
  });
});
