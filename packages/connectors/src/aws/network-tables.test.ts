import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { account, connect, denial, never } from "./account.fixture.ts";
import { type Answer, serveAws } from "./aws.fixture.ts";

/** EC2's answers, and the properties that the AWS CLI prints for them. */
const TABLES: [type: string, id: string, action: string, answer: JsonObject, properties: JsonObject][] = [
  [
    "AWS::EC2::RouteTable",
    "rtb-1",
    "ec2:DescribeRouteTables",
    {
      routeTableSet: [
        {
          routeTableId: "rtb-1",
          routeSet: [
            { destinationCidrBlock: "10.0.0.0/16", gatewayId: "local", origin: "CreateRouteTable" },
            { destinationCidrBlock: "0.0.0.0/0", gatewayId: "igw-1", origin: "CreateRoute" },
          ],
          associationSet: [{ routeTableAssociationId: "rtbassoc-1", subnetId: "subnet-1", main: false }],
        },
      ],
    },
    {
      Routes: [
        { DestinationCidrBlock: "10.0.0.0/16", GatewayId: "local", Origin: "CreateRouteTable" },
        { DestinationCidrBlock: "0.0.0.0/0", GatewayId: "igw-1", Origin: "CreateRoute" },
      ],
      Associations: [{ RouteTableAssociationId: "rtbassoc-1", SubnetId: "subnet-1", Main: false }],
    },
  ],
  [
    "AWS::EC2::NetworkAcl",
    "acl-1",
    "ec2:DescribeNetworkAcls",
    {
      networkAclSet: [
        {
          networkAclId: "acl-1",
          entrySet: [
            {
              ruleNumber: 100,
              protocol: "6",
              ruleAction: "allow",
              egress: false,
              cidrBlock: "0.0.0.0/0",
              portRange: { from: 22, to: 22 },
            },
          ],
          associationSet: [{ networkAclAssociationId: "aclassoc-1", subnetId: "subnet-1" }],
        },
      ],
    },
    {
      Entries: [
        {
          RuleNumber: 100,
          Protocol: "6",
          RuleAction: "allow",
          Egress: false,
          CidrBlock: "0.0.0.0/0",
          PortRange: { From: 22, To: 22 },
        },
      ],
      Associations: [{ NetworkAclAssociationId: "aclassoc-1", SubnetId: "subnet-1" }],
    },
  ],
];

/** Enriches a table with Cloud Control and EC2. */
const enriched = async (type: string, id: string, ofLists: (action: string) => Answer | undefined) => {
  const read = { ResourceDescription: { Properties: JSON.stringify({ Id: id }) } };
  await using cloud = serveAws(
    account(({ action }) => (action === "cloudformation:GetResource" ? { body: read } : ofLists(action))),
  );
  return await connect(cloud.endpoint).enrich?.({ providerId: id, type, region: "eu-west-1" }, never);
};

test.each(TABLES)("%s has the properties listed by EC2", async (...table) => {
  const [type, id, asked, body, properties] = table;
  const found = await enriched(type, id, (action) => (action === asked ? { body } : undefined));
  expect(found).toEqual({ outcome: "enriched", properties: { Id: id, ...properties } });
});

test.each(TABLES)(
  "%s fails with the missing permission instead of being read in part",
  async (type, id, asked) => {
    const refusal = { ...denial(asked), code: "UnauthorizedOperation", message: "You are not authorized." };
    expect(await enriched(type, id, (action) => (action === asked ? refusal : undefined))).toEqual({
      outcome: "failed",
      reason: "permission_denied",
      message: `${asked} isn't allowed in eu-west-1`,
    });
  },
);

test.each(TABLES)("%s that was deleted isn't read as empty", async (type, id, asked) => {
  const gone = { status: 400, code: `Invalid${type.split("::").at(-1)}ID.NotFound` };
  expect(await enriched(type, id, (action) => (action === asked ? gone : undefined))).toMatchObject({
    outcome: "failed",
    reason: "not_found",
  });
  const nothing = { body: { routeTableSet: "", networkAclSet: "" } };
  expect(await enriched(type, id, (action) => (action === asked ? nothing : undefined))).toEqual({
    outcome: "enriched",
    properties: { Id: id },
  });
});
