import { afterAll, beforeAll, expect, test } from "bun:test";

import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";

import { ndjson, newOrg, startInventory, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const ARN = `arn:aws:lambda:eu-west-1:${ACCOUNT}:function:checkout`;
const URN = "urn:pulumi:dev::shop::aws:lambda/function:Function::checkout";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** Output of `pulumi stack export --show-secrets` for a stack with one function. */
const stack = {
  version: 3,
  deployment: {
    manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "v3.140.0" },
    resources: [
      {
        urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev",
        custom: false,
        type: "pulumi:pulumi:Stack",
      },
      {
        urn: URN,
        custom: true,
        id: "checkout",
        type: "aws:lambda/function:Function",
        provider: "urn:pulumi:dev::shop::pulumi:providers:aws::default_7_1_0::11111111",
        outputs: {
          __meta: "{}",
          arn: ARN,
          id: "checkout",
          name: "checkout",
          memorySize: 256,
          deadLetterConfig: null,
          description: { ...secret, ciphertext: "v1:canary-encrypted" },
          environment: { variables: { featureFlag: "on", MODE: { ...secret, plaintext: '"canary-shown"' } } },
          vpcConfig: { subnetIds: ["subnet-1", "subnet-2"], securityGroupIds: [], vpcId: "vpc-1" },
          tags: { costCenter: "a" },
          tagsAll: { costCenter: "a", team: "shop" },
        },
      },
    ],
  },
};

const listing = ({ memory = 256, flag = "on", subnets = ["subnet-2", "subnet-1"], team = "shop" } = {}) =>
  ndjson([
    {
      provider_resource_id: ARN,
      provider_type: "AWS::Lambda::Function",
      region: "eu-west-1",
      tags: { costCenter: "a", team },
      properties: {
        FunctionName: "checkout",
        MemorySize: memory,
        Description: "another",
        Environment: { Variables: { featureFlag: flag, MODE: "another" } },
        VpcConfig: { SubnetIds: subnets, SecurityGroupIds: [] },
      },
    },
  ]);

async function newStack() {
  const org = newOrg(inventory);
  const account = await org.account("aws", ACCOUNT);
  await org.pushState(await org.source("shop", account.id), stack);
  return {
    org,
    list: (body: string) => org.pushListing(account, body),
    changes: async () => (await inventory.call(ListDriftChanges, { org_id: org.id, limit: 10 })).data,
  };
}

test("a function that is as its Pulumi stack declares it has no drift", async () => {
  const { org, list, changes } = await newStack();
  await list(listing());
  expect((await org.resources({ match: "matched" })).length).toBe(1);
  expect(await changes()).toEqual([]);
});

test("a manual change is reported by attribute, with the resource's URN and Pulumi type", async () => {
  const { list, changes } = await newStack();
  await list(listing({ memory: 512, flag: "off", subnets: ["subnet-1", "subnet-3"], team: "ops" }));
  const [change, ...others] = await changes();
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    kind: "changed",
    address: URN,
    resource_type: "aws:lambda/function:Function",
  });
  const reported = change?.attribute_changes.map(({ path, before, after }) => [
    path.join("."),
    before,
    after,
  ]);
  expect(reported?.toSorted()).toEqual([
    ["environment.0.variables.featureFlag", "on", "off"],
    ["memory_size", 256, 512],
    ["tags_all.team", "shop", "ops"],
    ["vpc_config.0.subnet_ids.1", "subnet-2", "subnet-3"],
  ]);
});

test("a secret of a Pulumi stack is never stored or reported as changed", async () => {
  const { org, list, changes } = await newStack();
  await list(listing());
  const kept = await inventory.test.admin<{ attributes: string }[]>`
    select attributes from inventory.declared_attributes where org_id = ${org.id}
  `;
  expect(kept.length).toBe(1);
  expect(kept[0]?.attributes).toContain("featureFlag");
  expect(kept[0]?.attributes).not.toMatch(/canary|ciphertext|plaintext/);
  expect(JSON.stringify(await org.declared())).not.toContain("canary");
  expect(await changes()).toEqual([]);
});
