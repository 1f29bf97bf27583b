import { describe, expect, test } from "bun:test";

import { ACCOUNT, drifting, type Declared } from "./drifting.ts";
import { ndjson, tfstate } from "./kit.ts";

const GROUP = `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group/sg-1`;

const { newOrg, changesOf, changesBetween } = drifting();

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

/** Builds the group as AWS Config records it. */
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

/** Builds the group as Cloud Control returns it. */
const read = (SecurityGroupIngress: object[]) => ({
  TypeName: "AWS::EC2::SecurityGroup",
  ResourceDescription: {
    Identifier: "sg-1",
    Properties: JSON.stringify({ Id: "sg-1", GroupId: "sg-1", VpcId: "vpc-1", SecurityGroupIngress }),
  },
});

const TO_ITSELF = permission({ userIdGroupPairs: [{ groupId: "sg-1", userId: ACCOUNT }] });
const READ_TO_ITSELF = { IpProtocol: "tcp", FromPort: 443, ToPort: 443, SourceSecurityGroupId: "sg-1" };

describe("a security group that allows its own members", () => {
  test.each<[fact: string, declared: Declared, listing: object | string]>([
    ["in an AWS Config record", group([rule({ self: true })]), recorded([TO_ITSELF])],
    ["by its own id", group([rule({ security_groups: ["sg-1"] })]), recorded([TO_ITSELF])],
    [
      "by its own id and account",
      group([rule({ security_groups: [`${ACCOUNT}/sg-1`] })]),
      recorded([TO_ITSELF]),
    ],
    ["in Cloud Control", group([rule({ self: true })]), read([READ_TO_ITSELF])],
    [
      "in the default group",
      group([rule({ self: true, protocol: "-1", from_port: 0, to_port: 0 })], "aws_default_security_group"),
      recorded([{ ipProtocol: "-1", userIdGroupPairs: [{ groupId: "sg-1", userId: ACCOUNT }] }]),
    ],
  ])("has no drift: %s", async (_, declared, listing) => {
    expect(await changesBetween([declared], listing)).toEqual([]);
  });

  test("has drift once it no longer allows them", async () => {
    const [change] = await changesBetween([group([rule({ self: true })])], recorded([]));
    expect(change).toMatchObject({
      kind: "changed",
      attribute_changes: [{ path: ["ingress", 0], after: null }],
      risk_flags: [{ rule: "R08" }],
    });
  });

  test("has drift if that isn't declared", async () => {
    const [change] = await changesBetween([group([])], recorded([TO_ITSELF]));
    expect(change).toMatchObject({
      attribute_changes: [{ path: ["ingress", 0], after: { self: true, security_groups: [] } }],
    });
  });
});

const OFFICE = permission({ ipv4Ranges: [{ cidrIp: "10.0.0.0/8" }], ipRanges: ["10.0.0.0/8"] });
const PLAIN = { ...OFFICE, fromPort: 80, toPort: 80 };
const WORLD = permission({ fromPort: 22, toPort: 22, ipRanges: ["0.0.0.0/0"] });

const STANDALONE: Declared[] = [
  {
    type: "aws_security_group_rule",
    name: "https",
    attributes: {
      id: "sgrule-1",
      security_group_id: "sg-1",
      type: "ingress",
      protocol: "tcp",
      from_port: 443,
      to_port: 443,
      cidr_blocks: ["10.0.0.0/8"],
      self: false,
    },
  },
  {
    type: "aws_vpc_security_group_ingress_rule",
    name: "http",
    attributes: {
      id: "sgr-2",
      arn: `arn:aws:ec2:eu-west-1:${ACCOUNT}:security-group-rule/sgr-2`,
      security_group_rule_id: "sgr-2",
      security_group_id: "sg-1",
      ip_protocol: "tcp",
      from_port: 80,
      to_port: 80,
      cidr_ipv4: "10.0.0.0/8",
      tags_all: { team: "a" },
    },
  },
];

describe("a security group with separate rule resources", () => {
  test("has no drift while they are as declared", async () => {
    expect(await changesBetween([group([]), ...STANDALONE], recorded([OFFICE, PLAIN]))).toEqual([]);
  });

  test("has no drift after a refresh adds them to the group", async () => {
    const refreshed = group([
      rule({ cidr_blocks: ["10.0.0.0/8"] }),
      rule({ cidr_blocks: ["10.0.0.0/8"], from_port: 80, to_port: 80 }),
    ]);
    expect(await changesBetween([refreshed, ...STANDALONE], recorded([OFFICE, PLAIN]))).toEqual([]);
  });

  test("has drift only for a rule that none of them declares", async () => {
    const changes = await changesBetween([group([]), ...STANDALONE], recorded([OFFICE, PLAIN, WORLD]));
    expect(changes).toMatchObject([
      {
        address: "aws_security_group.web",
        attribute_changes: [{ path: ["ingress", 0], after: { from_port: 22, cidr_blocks: ["0.0.0.0/0"] } }],
      },
    ]);
  });

  test("has no drift for rules that another state declares", async () => {
    const org = newOrg();
    const account = await org.account("aws", ACCOUNT);
    await org.pushState(await org.source("network", account.id), tfstate([group([])]));
    const app = await org.source("app", account.id);
    await org.pushState(app, tfstate(STANDALONE));
    await org.pushListing(account, recorded([OFFICE, PLAIN]));
    expect(await changesOf(org)).toEqual([]);
    await org.removeSource(app);
    expect(await changesOf(org)).toHaveLength(1);
  });

  test("has drift for a rule declared in another account", async () => {
    const org = newOrg();
    const [account, other] = [await org.account("aws", ACCOUNT), await org.account("aws", "210987654321")];
    await org.pushState(await org.source("network", account.id), tfstate([group([])]));
    await org.pushState(await org.source("app", other.id), tfstate(STANDALONE.slice(0, 1)));
    await org.pushListing(account, recorded([OFFICE]));
    const data = await changesOf(org);
    expect(data).toHaveLength(1);
  });
});

const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
const NSG = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Network/networkSecurityGroups/web`;
const AZURE = ["azure", SUBSCRIPTION] as const;
const SSH = {
  protocol: "Tcp",
  source_port_range: "*",
  destination_port_range: "22",
  source_address_prefix: "10.0.0.0/8",
  destination_address_prefix: "*",
  access: "Allow",
  priority: 100,
  direction: "Inbound",
};

const azureGroup = (security_rule: object[]): Declared => ({
  type: "azurerm_network_security_group",
  name: "web",
  provider: "azurerm",
  attributes: { id: NSG, name: "web", security_rule },
});
const AZURE_RULE: Declared = {
  type: "azurerm_network_security_rule",
  name: "ssh",
  provider: "azurerm",
  attributes: { id: `${NSG}/securityRules/ssh`, name: "ssh", ...SSH },
};

/** Builds the group with its one rule, as Resource Graph returns it. */
const graph = (sourceAddressPrefix: string) => ({
  data: [
    {
      id: NSG.toLowerCase(),
      name: "web",
      type: "microsoft.network/networksecuritygroups",
      location: "westeurope",
      subscriptionId: SUBSCRIPTION,
      resourceGroup: "rg",
      properties: {
        securityRules: [
          {
            name: "ssh",
            id: `${NSG}/securityRules/ssh`,
            properties: {
              protocol: "TCP",
              sourcePortRange: "*",
              destinationPortRange: "22",
              sourceAddressPrefix,
              destinationAddressPrefix: "*",
              access: "Allow",
              priority: 100,
              direction: "Inbound",
            },
          },
        ],
      },
    },
  ],
});

describe("a network security group with a separate rule resource", () => {
  test.each<[fact: string, inline: object[]]>([
    ["before a refresh", []],
    ["after one", [{ name: "ssh", ...SSH }]],
  ])("has no drift %s", async (_, inline) => {
    expect(await changesBetween([azureGroup(inline), AZURE_RULE], graph("10.0.0.0/8"), AZURE)).toEqual([]);
  });

  test.each<[fact: string, inline: object[]]>([
    ["before a refresh", []],
    ["after one", [{ name: "ssh", ...SSH }]],
  ])("has drift on that rule when it changes, %s", async (_, inline) => {
    const changes = await changesBetween([azureGroup(inline), AZURE_RULE], graph("Internet"), AZURE);
    expect(changes).toMatchObject([
      {
        address: "azurerm_network_security_rule.ssh",
        attribute_changes: [{ path: ["source_address_prefix"], before: "10.0.0.0/8", after: "Internet" }],
      },
    ]);
  });

  test("has drift for an undeclared rule, which is also listed as undeclared", async () => {
    const changes = await changesBetween([azureGroup([])], graph("10.0.0.0/8"), AZURE);
    const found = changes.map(({ kind, address, resource_name: name }) => `${kind} ${address ?? name}`);
    expect(found.toSorted()).toEqual(["changed azurerm_network_security_group.web", "undeclared ssh"]);
  });
});

const NETWORK = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/main`;
const STORE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/acme`;

/** Builds a network with one subnet, with or without the group, and a storage account with or without a firewall. */
const listed = (networkSecurityGroup: object | undefined, defaultAction: string) => ({
  data: [
    {
      id: NETWORK.toLowerCase(),
      type: "microsoft.network/virtualnetworks",
      properties: {
        subnets: [
          {
            id: `${NETWORK}/subnets/web`,
            name: "web",
            properties: {
              addressPrefix: "10.0.0.0/24",
              ...(networkSecurityGroup && { networkSecurityGroup }),
            },
          },
        ],
      },
    },
    {
      id: STORE,
      type: "microsoft.storage/storageaccounts",
      properties: { networkAcls: { bypass: "None", ipRules: [], virtualNetworkRules: [], defaultAction } },
    },
  ],
});

const azurerm = (type: string, attributes: Declared["attributes"]): Declared => ({
  type: `azurerm_${type}`,
  name: "web",
  provider: "azurerm",
  attributes,
});

const GUARDED: Declared[] = [
  azurerm("virtual_network", { id: NETWORK, name: "main" }),
  azurerm("subnet", { id: `${NETWORK}/subnets/web`, name: "web", address_prefixes: ["10.0.0.0/24"] }),
  azurerm("subnet_network_security_group_association", {
    id: `${NETWORK}/subnets/web`,
    subnet_id: `${NETWORK}/subnets/web`,
    network_security_group_id: NSG,
  }),
  // Its state from before the rules.
  azurerm("storage_account", {
    id: STORE,
    name: "acme",
    network_rules: [{ default_action: "Allow", bypass: ["AzureServices"], ip_rules: [] }],
  }),
  azurerm("storage_account_network_rules", {
    id: STORE,
    storage_account_id: STORE,
    default_action: "Deny",
    bypass: ["None"],
    ip_rules: [],
  }),
];

describe("separately declared protection of a subnet and a storage account", () => {
  test("has no drift while it is as declared", async () => {
    expect(await changesBetween(GUARDED, listed({ id: NSG.toLowerCase() }, "Deny"), AZURE)).toEqual([]);
  });

  test("is missing once it is removed", async () => {
    const changes = await changesBetween(GUARDED, listed(undefined, "Allow"), AZURE);
    const reported = changes.map(({ address, attribute_changes: [change], risk_flags }) => [
      address,
      [change?.before, change?.after, ...risk_flags.map(({ rule }) => rule)],
    ]);
    expect(Object.fromEntries(reported)).toEqual({
      "azurerm_storage_account_network_rules.web": ["Deny", "Allow", "R10"],
      "azurerm_subnet_network_security_group_association.web": [NSG, "", "R08"],
    });
  });
});

const inlineSubnet = (more: object = {}) => ({
  id: `${NETWORK}/subnets/web`,
  name: "web",
  address_prefixes: ["10.0.0.0/24"],
  security_group: NSG,
  route_table_id: "",
  ...more,
});
const networkWith = (subnet: object[]) => azurerm("virtual_network", { id: NETWORK, name: "main", subnet });

describe("a subnet declared inside its network", () => {
  test("has no drift while it has its security group", async () => {
    const live = listed({ id: NSG.toLowerCase() }, "Deny");
    const changes = await changesBetween([networkWith([inlineSubnet()])], live, AZURE);
    expect(changes.filter(({ kind }) => kind === "changed")).toEqual([]);
  });

  test("has drift after the group was removed by hand", async () => {
    const changes = await changesBetween([networkWith([inlineSubnet()])], listed(undefined, "Deny"), AZURE);
    expect(changes.filter(({ kind }) => kind === "changed")).toMatchObject([
      {
        address: "azurerm_virtual_network.web",
        attribute_changes: [{ path: ["subnet", 0, "security_group"], before: NSG, after: "" }],
      },
    ]);
  });

  test("is compared as its own resource if it has one, despite the network's older copy", async () => {
    const own = azurerm("subnet", {
      id: `${NETWORK}/subnets/web`,
      name: "web",
      address_prefixes: ["10.0.0.0/24"],
    });
    const stale = [inlineSubnet({ address_prefixes: ["10.9.0.0/24"] }), inlineSubnet({ name: "old" })];
    const changes = await changesBetween([networkWith(stale), own], listed(undefined, "Deny"), AZURE);
    expect(changes.filter(({ kind }) => kind === "changed")).toEqual([]);
  });
});
