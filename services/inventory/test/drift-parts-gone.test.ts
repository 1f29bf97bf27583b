import { expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, drifting, type Declared } from "./drifting.ts";
import { tfstate } from "./kit.ts";

const { changesBetween, changesOf, newOrg, report } = drifting();

const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
const NETWORK = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Network`;
const GROUP = `${NETWORK}/networkSecurityGroups/web`;
const AZURE = ["azure", SUBSCRIPTION] as const;

const azurerm = (type: string, attributes: JsonObject): Declared => ({
  type: `azurerm_${type}`,
  name: "web",
  provider: "azurerm",
  attributes,
});

const DENY = azurerm("network_security_rule", {
  id: `${GROUP}/securityRules/deny-ssh`,
  name: "deny-ssh",
  access: "Deny",
  direction: "Inbound",
  priority: 100,
  protocol: "Tcp",
  source_port_range: "*",
  source_address_prefix: "*",
  destination_port_range: "22",
  destination_address_prefix: "*",
});
const DENIED = {
  access: "Deny",
  direction: "Inbound",
  priority: 100,
  protocol: "Tcp",
  sourcePortRange: "*",
  sourceAddressPrefix: "*",
  destinationPortRange: "22",
  destinationAddressPrefix: "*",
};
const STATE = [azurerm("network_security_group", { id: GROUP, name: "web", security_rule: [] }), DENY];

/** Builds the security group as Resource Graph returns it, the only place that shows its rules. */
const group = (properties: object) => ({
  data: [
    {
      id: GROUP.toLowerCase(),
      name: "web",
      type: "microsoft.network/networksecuritygroups",
      location: "westeurope",
      subscriptionId: SUBSCRIPTION,
      properties,
    },
  ],
});

test("a rule removed from its security group by hand is missing", async () => {
  const changes = await changesBetween(STATE, group({ securityRules: [] }), AZURE);
  expect(changes).toMatchObject([
    {
      kind: "missing",
      actions: ["delete"],
      address: "azurerm_network_security_rule.web",
      resource_type: "azurerm_network_security_rule",
      iac_resource_id: expect.any(String),
      attribute_changes: [],
      risk_flags: [{ rule: expect.any(String) }],
    },
  ]);
});

test.each([
  ["exists", { securityRules: [{ name: "deny-ssh", properties: DENIED }] }],
  ["may exist because the listing has no rules", {}],
])("nothing is reported for a rule that %s", async (_, properties) => {
  expect(await changesBetween(STATE, group(properties), AZURE)).toEqual([]);
});

const ROLE = `arn:aws:iam::${ACCOUNT}:role/app`;
const ADMIN = "arn:aws:iam::aws:policy/AdministratorAccess";
const READER = "arn:aws:iam::aws:policy/ReadOnlyAccess";
const TRUST = { Version: "2012-10-17", Statement: [] };
const attachment = (name: string, policy_arn: string): Declared => ({
  type: "aws_iam_role_policy_attachment",
  name,
  attributes: { id: `app-${name}`, role: "app", policy_arn },
});
const ATTACHED: Declared[] = [
  { type: "aws_iam_role", name: "app", attributes: { id: "app", name: "app", arn: ROLE } },
  attachment("admin", ADMIN),
  attachment("reader", READER),
];
/** Builds the role as Cloud Control returns it. */
const role = (more: object) => ({
  TypeName: "AWS::IAM::Role",
  ResourceDescription: {
    Identifier: "app",
    Properties: JSON.stringify({ RoleName: "app", Arn: ROLE, AssumeRolePolicyDocument: TRUST, ...more }),
  },
});

test.each<[string, object, string[]]>([
  ["one of two policies", { ManagedPolicyArns: [READER] }, ["admin"]],
  ["all policies, which Cloud Control then omits", {}, ["admin", "reader"]],
  ["none", { ManagedPolicyArns: [ADMIN, READER] }, []],
])("for a role with %s detached by hand exactly those are reported", async (_, live, missing) => {
  const changes = await changesBetween(ATTACHED, role(live));
  expect(changes.map(({ kind, address }) => `${kind} ${address}`).toSorted()).toEqual(
    missing.map((name) => `missing aws_iam_role_policy_attachment.${name}`),
  );
});

/** The refresh of a plan when the rule doesn't exist. */
const REFRESHED = {
  address: "azurerm_network_security_rule.web",
  mode: "managed",
  type: DENY.type,
  name: "web",
  provider_name: "registry.terraform.io/hashicorp/azurerm",
  change: { actions: ["delete"], before: DENY.attributes, after: null },
};

test("a deletion also found by a plan is reported once", async () => {
  const org = newOrg();
  const account = await org.account(...AZURE);
  await org.pushState(await org.source("main", account.id), tfstate(STATE));
  await report(org, "main", [REFRESHED]);
  await org.pushListing(account, group({ securityRules: [] }));
  expect(await changesOf(org)).toMatchObject([{ kind: "missing" }]);
});

test("a deletion found by a plan ends when its parent's listing shows it again", async () => {
  const org = newOrg();
  const account = await org.account(...AZURE);
  await org.pushState(await org.source("main", account.id), tfstate(STATE));
  const listed = group({ securityRules: [{ name: "deny-ssh", properties: DENIED }] });
  await org.pushListing(account, listed);
  await report(org, "main", [REFRESHED]);
  expect(await changesOf(org)).toMatchObject([{ kind: "missing" }]);
  await org.pushListing(account, listed);
  expect(await changesOf(org)).toEqual([]);
});

test("a removed rule that used to be listed separately is reported once", async () => {
  const org = newOrg();
  const account = await org.account(...AZURE);
  await org.pushState(await org.source("main", account.id), tfstate(STATE));
  const [whole] = group({ securityRules: [{ name: "deny-ssh", properties: DENIED }] }).data;
  const own = {
    ...whole,
    id: `${GROUP}/securityRules/deny-ssh`.toLowerCase(),
    name: "deny-ssh",
    type: "microsoft.network/networksecuritygroups/securityrules",
    properties: DENIED,
  };
  await org.pushListing(account, { data: [whole, own] });
  expect(await changesOf(org)).toEqual([]);
  await org.pushListing(account, group({ securityRules: [] }));
  expect(await changesOf(org)).toMatchObject([{ kind: "missing" }]);
});
