import { describe, expect, test } from "bun:test";

import { UpdateAccount } from "@leeway/shared/contracts/inventory/accounts";

import { ACCOUNT, type Call } from "@leeway/connectors/aws/aws.fixture";
import { arn, denied, type AwsWorld } from "./aws-cloud.ts";
import { ndjson } from "./kit.ts";
import { explorerOf, scanning, setQueues } from "./scanning.ts";

const cloud = scanning();
const QUEUE = "AWS::SQS::Queue";
const ROLE = "AWS::IAM::Role";

const deniedTags = ({ action }: Call) => (action === "tag:GetResources" ? denied(action) : undefined);
const role = (name: string): string => `arn:aws:iam::${ACCOUNT}:role/${name}`;
/** Builds the answers of an index that supports roles and contains these. */
const indexedRoles =
  (...names: string[]) =>
  (call: Call) => {
    if (call.action === "resource-explorer-2:ListSupportedResourceTypes")
      return { body: { ResourceTypes: [{ ResourceType: "sqs:queue" }, { ResourceType: "iam:role" }] } };
    if (!explorerOf("global")(call)) return undefined;
    const Resources = names.map((name) => ({
      Arn: role(name),
      ResourceType: "iam:role",
      Region: "global",
      OwningAccountId: ACCOUNT,
      Properties: [],
    }));
    return { body: { Resources, ViewArn: "view" } };
  };

describe("when part of a scan fails", () => {
  test("resources of a removed region are deleted, and those of others stay", async () => {
    const { org, world, scans, account, names } = await cloud.start();
    setQueues(world, "eu-west-1", ["a"]);
    setQueues(world, "us-east-1", ["b"]);
    await scans.run({ account_id: account.id });
    expect(await names()).toEqual(["eu-west-1 a", "us-east-1 b"]);
    world.interfere = deniedTags;
    await cloud.inventory.call(UpdateAccount, {
      org_id: org.id,
      account_id: account.id,
      regions: ["eu-west-1"],
    });
    expect(await scans.run({ account_id: account.id })).toMatchObject({
      status: "partial",
      stats: { gone: 1 },
    });
    expect(await names()).toEqual(["eu-west-1 a"]);
  });

  test("a role is removed if the index covers all roles, and kept if it is denied", async () => {
    const { org, world, scans, account } = await cloud.start();
    const shown = async () => (await org.resources()).map((row) => row.provider_resource_id).toSorted();
    const rows = ["deleted", "kept"].map((name) => ({
      provider_type: ROLE,
      provider_resource_id: role(name),
    }));
    await org.pushListing(account, ndjson(rows));
    // Simulates a Cloud Control listing from before the indexes existed.
    await cloud.inventory.test.admin`
      update inventory.live_resources set shards = array['iam'] where cloud_account_id = ${account.id}
    `;
    setQueues(world, "eu-west-1", ["a"]);
    world.interfere = (call) =>
      explorerOf("global")(call) ? denied("resource-explorer-2:ListResources") : indexedRoles("kept")(call);
    await scans.run({ account_id: account.id });
    expect(await shown()).toEqual([role("deleted"), role("kept"), arn("eu-west-1", "a")]);
    world.interfere = (call) => deniedTags(call) ?? indexedRoles("kept")(call);
    expect(await scans.run({ account_id: account.id })).toMatchObject({
      status: "partial",
      stats: { gone: 1 },
    });
    expect(await shown()).toEqual([role("kept"), arn("eu-west-1", "a")]);
  });
});

const pushed = async (more: { provider_type: string; provider_resource_id: string }[] = []) => {
  const started = await cloud.start({ regions: ["eu-west-1"] });
  const rows = ["a", "b"].map((name) => ({
    provider_type: QUEUE,
    provider_resource_id: arn("eu-west-1", name),
  }));
  await started.org.pushListing(started.account, ndjson([...rows, ...more]));
  setQueues(started.world, "eu-west-1", ["a"]);
  return started;
};
const scan = async ({ scans, account, names }: Awaited<ReturnType<typeof pushed>>) => {
  await scans.run({ account_id: account.id });
  return names();
};
const interfere = (world: AwsWorld, answer: AwsWorld["interfere"]): void => {
  world.interfere = async (call) => (await answer(call)) ?? deniedTags(call);
};

describe("a pushed resource, before a scan with denied tags,", () => {
  test("is removed if its region's index covers its type", async () => {
    const started = await pushed();
    interfere(started.world, () => undefined);
    expect(await scan(started)).toEqual(["eu-west-1 a"]);
  });

  test("is kept if no index covers its type", async () => {
    const [alias, other] = ["kms:eu-west-1", "wormhole:eu-west-1"].map(
      (place) => `arn:aws:${place}:${ACCOUNT}:alias/x`,
    );
    const started = await pushed([
      { provider_type: "AWS::KMS::Alias", provider_resource_id: alias ?? "" },
      { provider_type: "wormhole:alias", provider_resource_id: other ?? "" },
    ]);
    interfere(started.world, () => undefined);
    expect(await scan(started)).toEqual(["eu-west-1 a", "eu-west-1 alias/x", "eu-west-1 alias/x"]);
  });

  test("is kept if the index's types are denied", async () => {
    const started = await pushed();
    interfere(started.world, ({ action }) =>
      action === "resource-explorer-2:ListSupportedResourceTypes" ? denied(action) : undefined,
    );
    expect(await scan(started)).toEqual(["eu-west-1 a", "eu-west-1 b"]);
  });

  test("is kept if its region's index isn't listed completely", async () => {
    const started = await pushed();
    interfere(started.world, (call) =>
      explorerOf("eu-west-1")(call) ? denied("resource-explorer-2:ListResources") : undefined,
    );
    setQueues(started.world, "eu-west-1", []);
    await started.scans.run({ account_id: started.account.id });
    expect(await started.names()).toEqual(["eu-west-1 a", "eu-west-1 b"]);
  });
});
