import { expect, test } from "bun:test";

import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, type Answer, type Call } from "@leeway/connectors/aws/aws.fixture";
import { tfstate } from "./kit.ts";
import { explorerOf, scanning } from "./scanning.ts";

const REGION = "eu-west-1";
const arn = (kind: string, id: string): string => `arn:aws:ec2:${REGION}:${ACCOUNT}:${kind}/${id}`;
const TABLE = arn("route-table", "rtb-1");
const ACL = arn("network-acl", "acl-1");

const cloud = scanning();

const DECLARED = [
  { type: "aws_route_table", name: "private", attributes: { id: "rtb-1", arn: TABLE, route: [] } },
  {
    type: "aws_route",
    name: "out",
    attributes: {
      id: "r-rtb-11080289494",
      route_table_id: "rtb-1",
      destination_cidr_block: "0.0.0.0/0",
      nat_gateway_id: "nat-1",
      gateway_id: "",
      origin: "CreateRoute",
    },
  },
  {
    type: "aws_route_table_association",
    name: "private",
    attributes: { id: "rtbassoc-1", route_table_id: "rtb-1", subnet_id: "subnet-1", gateway_id: "" },
  },
  {
    type: "aws_network_acl",
    name: "private",
    attributes: { id: "acl-1", arn: ACL, ingress: [], egress: [] },
  },
  {
    type: "aws_network_acl_rule",
    name: "ssh",
    attributes: {
      id: "nacl-1",
      network_acl_id: "acl-1",
      rule_number: 100,
      egress: false,
      protocol: "6",
      rule_action: "deny",
      cidr_block: "0.0.0.0/0",
      ipv6_cidr_block: "",
      from_port: 22,
      to_port: 22,
      icmp_type: null,
      icmp_code: null,
    },
  },
  {
    type: "aws_network_acl_association",
    name: "private",
    attributes: { id: "aclassoc-1", network_acl_id: "acl-1", subnet_id: "subnet-1" },
  },
];

const LOCAL = { destinationCidrBlock: "10.0.0.0/16", gatewayId: "local", origin: "CreateRouteTable" };
const DEFAULT_RULE = {
  ruleNumber: 32767,
  protocol: "-1",
  ruleAction: "deny",
  egress: false,
  cidrBlock: "0.0.0.0/0",
};
const OUT = { destinationCidrBlock: "0.0.0.0/0", natGatewayId: "nat-1", origin: "CreateRoute" };
const SSH = {
  ruleNumber: 100,
  protocol: "6",
  ruleAction: "deny",
  egress: false,
  cidrBlock: "0.0.0.0/0",
  portRange: { from: 22, to: 22 },
};

/** Builds AWS's answers for a region with one route table and one network ACL. */
function network({ routes = [OUT], rules = [SSH], subnets = ["subnet-1"] }: Network = {}) {
  return (call: Call): Answer | undefined => {
    const associationSet = subnets.map((subnetId) => ({ subnetId }));
    switch (call.action) {
      case "cloudformation:GetResource":
        return { body: { ResourceDescription: { Properties: JSON.stringify({ VpcId: "vpc-1" }) } } };
      case "ec2:DescribeRouteTables": {
        const table = { routeTableId: "rtb-1", routeSet: [LOCAL, ...routes], associationSet };
        return { body: { routeTableSet: [table] } };
      }
      case "ec2:DescribeNetworkAcls": {
        const acl = { networkAclId: "acl-1", entrySet: [...rules, DEFAULT_RULE], associationSet };
        return { body: { networkAclSet: [acl] } };
      }
      default:
        return explorerOf(REGION)(call) ? { body: { Resources: INDEXED, ViewArn: "view" } } : undefined;
    }
  };
}

interface Network {
  routes?: JsonObject[];
  rules?: JsonObject[];
  subnets?: string[];
}

const INDEXED = [
  ["route-table", TABLE],
  ["network-acl", ACL],
].map(([kind, Arn = ""]) => ({
  Arn,
  OwningAccountId: ACCOUNT,
  Region: REGION,
  ResourceType: `ec2:${kind}`,
  Service: "ec2",
}));

async function connected() {
  const { org, world, scans, account } = await cloud.start();
  await org.pushState(await org.source("network", account.id), tfstate(DECLARED));
  return async (is?: Network) => {
    world.interfere = network(is);
    expect(await scans.run({ account_id: account.id })).toMatchObject({ status: "succeeded", errors: [] });
    const { data } = await cloud.inventory.call(ListDriftChanges, { org_id: org.id, limit: 100 });
    return data
      .map(({ kind, address, attribute_changes }) => ({
        what: `${kind} ${address}`,
        attributes: attribute_changes
          .map(({ path, before, after }) => [path.join("."), before, after] as const)
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      }))
      .toSorted((one, other) => (one.what < other.what ? -1 : 1));
  };
}

test("a network that is as declared has no drift", async () => {
  const scanned = await connected();
  expect(await scanned()).toEqual([]);
});

test("a route changed to the internet by hand is reported, and so is an added one", async () => {
  const scanned = await connected();
  const turned = { destinationCidrBlock: "0.0.0.0/0", gatewayId: "igw-1", origin: "CreateRoute" };
  const added = {
    destinationCidrBlock: "10.9.0.0/16",
    vpcPeeringConnectionId: "pcx-1",
    origin: "CreateRoute",
  };
  expect(await scanned({ routes: [turned, added] })).toMatchObject([
    {
      what: "changed aws_route.out",
      attributes: [
        ["gateway_id", "", "igw-1"],
        ["nat_gateway_id", "nat-1", ""],
      ],
    },
    {
      what: "changed aws_route_table.private",
      attributes: [["route.0", null, { cidr_block: "10.9.0.0/16", vpc_peering_connection_id: "pcx-1" }]],
    },
  ]);
});

test("a rule opened by hand is reported, and so is one inserted before it", async () => {
  const scanned = await connected();
  const before = { ...SSH, ruleNumber: 50, ruleAction: "allow" };
  const found = await scanned({
    rules: [before, { ...SSH, ruleAction: "allow", cidrBlock: "192.0.2.0/24" }],
  });
  expect(found).toMatchObject([
    {
      what: "changed aws_network_acl.private",
      attributes: [["ingress.0", null, { rule_no: 50, action: "allow" }]],
    },
    {
      what: "changed aws_network_acl_rule.ssh",
      attributes: [
        ["cidr_block", "0.0.0.0/0", "192.0.2.0/24"],
        ["rule_action", "deny", "allow"],
      ],
    },
  ]);
});

test("a removed route, rule, route table association and ACL association are missing", async () => {
  const scanned = await connected();
  const found = await scanned({ routes: [], rules: [], subnets: ["subnet-2"] });
  expect(found.map(({ what }) => what)).toEqual([
    "missing aws_network_acl_association.private",
    "missing aws_network_acl_rule.ssh",
    "missing aws_route.out",
    "missing aws_route_table_association.private",
  ]);
});
