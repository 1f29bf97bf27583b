import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { ListDriftChanges, type DriftChange } from "@leeway/shared/contracts/inventory/drift";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

const ACCOUNT = "123456789012";
const GROUP = `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/sg-1`;

setDefaultTimeout(20_000); // each pushes several times, on a machine that may be busy

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

type Declared = Parameters<typeof tfstate>[0][number];

/** What is told of an account with this state and this listing. */
async function changesBetween(
  declared: readonly Declared[],
  listing: object | string,
  [provider, id] = ["aws", ACCOUNT],
): Promise<DriftChange[]> {
  const org = newOrg(inventory);
  const account = await org.account(provider, id);
  await org.pushState(await org.source("main", account.id), tfstate(declared));
  expect((await org.pushListing(account, listing)).status).toBe("succeeded");
  return (await inventory.call(ListDriftChanges, { org_id: org.id, limit: 100 })).data;
}

const rule = (more: object) => ({
  cidr_blocks: [],
  ipv6_cidr_blocks: [],
  prefix_list_ids: [],
  security_groups: [],
  self: false,
  from_port: 443,
  to_port: 443,
  protocol: "tcp",
  description: "",
  ...more,
});

const group = (ingress: object[], type = "aws_security_group"): Declared => ({
  type,
  name: "web",
  attributes: { id: "sg-1", arn: GROUP, name: "web", vpc_id: "vpc-1", ingress, egress: [], tags: {} },
});

const permission = (more: object) => ({
  ipProtocol: "tcp",
  fromPort: 443,
  toPort: 443,
  ipv6Ranges: [],
  prefixListIds: [],
  userIdGroupPairs: [],
  ipv4Ranges: [],
  ipRanges: [],
  ...more,
});

/** The group as AWS Config records it. */
const recorded = (ipPermissions: object[]) =>
  ndjson([
    {
      configurationItemStatus: "OK",
      resourceType: "AWS::EC2::SecurityGroup",
      resourceId: "sg-1",
      arn: GROUP,
      accountId: ACCOUNT,
      awsRegion: "eu-west-1",
      configuration: {
        groupId: "sg-1",
        groupName: "web",
        vpcId: "vpc-1",
        ipPermissions,
        ipPermissionsEgress: [],
      },
    },
  ]);

/** The group as Cloud Control reads it. */
const read = (SecurityGroupIngress: object[]) => ({
  TypeName: "AWS::EC2::SecurityGroup",
  ResourceDescription: {
    Identifier: "sg-1",
    Properties: JSON.stringify({ Id: "sg-1", GroupId: "sg-1", VpcId: "vpc-1", SecurityGroupIngress }),
  },
});

const TO_ITSELF = permission({ userIdGroupPairs: [{ groupId: "sg-1", userId: ACCOUNT }] });
const READ_TO_ITSELF = { IpProtocol: "tcp", FromPort: 443, ToPort: 443, SourceSecurityGroupId: "sg-1" };

describe("a security group that lets its own members in", () => {
  test.each<[fact: string, declared: Declared, listing: object | string]>([
    ["as AWS Config records it", group([rule({ self: true })]), recorded([TO_ITSELF])],
    ["by its own id", group([rule({ security_groups: ["sg-1"] })]), recorded([TO_ITSELF])],
    [
      "by its own id with its account",
      group([rule({ security_groups: [`${ACCOUNT}/sg-1`] })]),
      recorded([TO_ITSELF]),
    ],
    ["as Cloud Control reads it", group([rule({ self: true })]), read([READ_TO_ITSELF])],
    [
      "as the default group does",
      group([rule({ self: true, protocol: "-1", from_port: 0, to_port: 0 })], "aws_default_security_group"),
      recorded([{ ipProtocol: "-1", userIdGroupPairs: [{ groupId: "sg-1", userId: ACCOUNT }] }]),
    ],
  ])("hasn't drifted: %s", async (_, declared, listing) => {
    expect(await changesBetween([declared], listing)).toEqual([]);
  });

  test("has drifted once it no longer does", async () => {
    const [change] = await changesBetween([group([rule({ self: true })])], recorded([]));
    expect(change).toMatchObject({
      kind: "changed",
      attribute_changes: [{ path: ["ingress", 0], after: null }],
      risk_flags: [{ rule: "R08" }],
    });
  });

  test("has drifted when nobody declared that it does", async () => {
    const [change] = await changesBetween([group([])], recorded([TO_ITSELF]));
    expect(change).toMatchObject({
      attribute_changes: [{ path: ["ingress", 0], after: { self: true, security_groups: [] } }],
    });
  });
});
