import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ListDriftChanges } from "@leeway/shared/contracts/inventory/drift";
import type { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import { GetSource, UpdateSource } from "@leeway/shared/contracts/inventory/sources";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const [ONE, TWO] = ["111111111111", "222222222222"] as const;
const arn = (name: string, account: string) => `arn:aws:sqs:eu-west-1:${account}:${name}`;
const queue = (name: string, account: string = ONE) => ({
  provider_resource_id: arn(name, account),
  provider_type: "AWS::SQS::Queue",
});
const declaredQueue = (name: string, account: string = ONE) => ({
  type: "aws_sqs_queue",
  name,
  attributes: { arn: arn(name, account) },
});
const declared = (type: string, attributes: Record<string, unknown>) => ({ type, name: "x", attributes });
const FOREIGN = [
  declared("kubernetes_namespace", { id: "shop" }),
  declared("kubernetes_persistent_volume_claim", { id: "shop/data" }),
  declared("helm_release", { id: "web", name: "web", namespace: "shop" }),
  declared("github_repository", { id: "site", name: "site" }),
  declared("cloudflare_record", { id: "abc", zone_id: "z" }),
  declared("google_storage_bucket", { id: "shop-data", name: "shop-data" }),
  declared("azurerm_resource_group", {
    id: "/subscriptions/0a1b2c3d-1111-2222-3333-444455556666/resourceGroups/shop",
  }),
];
const repository = (name: string) => ({
  provider_resource_id: name,
  provider_type: "github:Repository",
  terraform_type: "github_repository",
});

type Org = ReturnType<typeof newOrg>;

/** Returns the match status of each declared resource, by type. */
const fates = async (org: Org) =>
  Object.fromEntries((await org.declared()).map(({ type, match }) => [type, match.status]));
const missingIn = async ({ id: org_id, declared: list }: Org, { id }: { id: string }) => {
  const { data } = await inventory.call(ListDriftChanges, {
    org_id,
    account_id: id,
    kind: "missing",
    limit: 500,
  });
  return {
    listed: (await list({ account_id: id, match: "missing" })).map(({ address }) => address),
    changes: data.map(({ address }) => address),
  };
};

describe("a resource of another cloud", () => {
  test("isn't missing in its source's account", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ONE);
    await org.pushListing(account, ndjson([queue("a")]));
    await org.pushState(
      await org.source("shop", account.id),
      tfstate([declaredQueue("a"), declaredQueue("gone"), ...FOREIGN]),
    );
    expect(await org.posture()).toMatchObject([{ matched_count: 1, missing_count: 1 }]);
    expect(await missingIn(org, account)).toEqual({
      listed: ["aws_sqs_queue.gone"],
      changes: ["aws_sqs_queue.gone"],
    });
  });

  test("isn't missing in a source without an account until an account of that cloud is listed", async () => {
    const org = newOrg(inventory);
    const source = await org.source("shop");
    await org.pushListing(await org.account("aws", ONE), ndjson([queue("a")]));
    await org.account("gcp", "shop-prod");
    expect(await org.pushState(source, tfstate(FOREIGN))).toMatchObject({
      missing_count: 0,
      unobserved_count: FOREIGN.length,
    });
    await org.pushListing(
      await org.account("gcp", "other-prod"),
      ndjson([{ provider_resource_id: "t", provider_type: "acme.googleapis.com/Thing" }]),
    );
    expect(await inventory.call(GetSource, { org_id: org.id, source_id: source.id })).toMatchObject({
      missing_count: 1,
    });
    expect(await fates(org)).toMatchObject({ google_storage_bucket: "missing" });
  });

  test("is found in an account of that cloud, whatever account its source has", async () => {
    const org = newOrg(inventory);
    const [aws, github] = [await org.account("aws", ONE), await org.account("github", "octo")];
    await org.pushListing(aws, ndjson([queue("a")]));
    await org.pushListing(github, ndjson([repository("site"), repository("docs")]));
    await org.pushState(await org.source("shop", aws.id), tfstate([declaredQueue("a"), ...FOREIGN]));
    expect(await fates(org)).toMatchObject({ aws_sqs_queue: "matched", github_repository: "matched" });
    expect(await org.posture()).toMatchObject([{ matched_count: 1 }, { matched_count: 1, missing_count: 0 }]);
  });
});

test("in an account of an unsupported cloud only resources of listed types can be missing", async () => {
  const org = newOrg(inventory);
  const github = await org.account("github", "octo");
  const state = [
    declared("github_repository", { id: "gone", name: "gone" }),
    declared("github_team", { id: "7" }),
    declared("kubernetes_namespace", { id: "shop" }),
  ];
  await org.pushState(await org.source("code", github.id), tfstate(state));
  await org.pushListing(github, ndjson([repository("site")]));
  expect(await fates(org)).toEqual({
    github_repository: "missing",
    github_team: "unobserved",
    kubernetes_namespace: "unobserved",
  });
});

describe("a resource that names another account than its source's", () => {
  test("is missing in its source's account, in counts and snapshot", async () => {
    const org = newOrg(inventory);
    const [one, two] = [await org.account("aws", ONE), await org.account("aws", TWO)];
    await org.pushListing(one, ndjson([queue("a")]));
    await org.pushListing(two, ndjson([queue("b", TWO)]));
    const source = await org.source("jobs", two.id);
    await org.pushState(source, tfstate([declaredQueue("gone")]));
    const gone = ["aws_sqs_queue.gone"];
    const isMissingIn = async (its: CloudAccount, other: CloudAccount) => {
      const rows = new Map((await org.posture()).map((row) => [row.cloud_account_id, row]));
      expect(rows.get(its.id)).toMatchObject({ missing_count: 1, risk_level: "critical" });
      expect(rows.get(other.id)).toMatchObject({ missing_count: 0, risk_level: "none" });
      expect(await missingIn(org, its)).toEqual({ listed: gone, changes: gone });
      expect(await missingIn(org, other)).toEqual({ listed: [], changes: [] });
    };
    await isMissingIn(two, one);
    for (const [its, other] of [
      [one, two],
      [two, one],
    ] as const) {
      const change = { source_id: source.id, cloud_account_id: its.id };
      await inventory.call(UpdateSource, { org_id: org.id, ...change });
      await isMissingIn(its, other);
    }
  });
});

/** Builds the output of `aws cloudcontrol list-resources`. */
const page = (type: string, ...ids: string[]) => ({
  TypeName: type,
  ResourceDescriptions: ids.map((id) => ({ Identifier: id, Properties: "{}" })),
});

describe("a listing of single types", () => {
  const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
  const azureId = (path: string) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/${path}`;
  const disk = {
    id: azureId("Microsoft.Compute/disks/d"),
    name: "d",
    type: "Microsoft.Compute/disks",
    location: "westeurope",
  };
  const database = declared("aws_db_instance", {
    id: "db-1",
    identifier: "main",
    arn: `arn:aws:rds:eu-west-1:${ONE}:db:main`,
  });
  const network = declared("azurerm_virtual_network", { id: azureId("Microsoft.Network/virtualNetworks/v") });
  const items = [{ resourceType: "AWS::SQS::Queue", resourceId: "a", resourceName: "a" }];

  const aws = { provider: "aws", id: ONE, missing: database };
  const azure = { provider: "azure", id: SUBSCRIPTION, missing: network };

  test.each([
    { ...aws, by: "Cloud Control", listing: page("AWS::SQS::Queue", "a") },
    { ...aws, by: "AWS Config", listing: { resourceIdentifiers: items } },
    { ...azure, by: "Resource Manager", listing: { value: [{ ...disk, properties: {} }] } },
  ])("by $by makes nothing missing of other types", async ({ provider, id, listing, missing }) => {
    const org = newOrg(inventory);
    await org.pushListing(await org.account(provider, id), listing);
    await org.pushState(await org.source("shop"), tfstate([missing]));
    expect(await fates(org)).toEqual({ [missing.type]: "unobserved" });
    expect(await org.posture()).toMatchObject([{ missing_count: 0, risk_level: "none" }]);
  });

  test("may be another Resource Graph table, which makes only its own types missing", async () => {
    const org = newOrg(inventory);
    const account = await org.account("azure", SUBSCRIPTION);
    const records = azureId("Microsoft.Network/dnsZones/example.com/A");
    const gone = declared("azurerm_dns_a_record", { id: `${records}/gone` });
    await org.pushState(await org.source("shop", account.id), tfstate([network, gone]));
    const row = { id: `${records}/www`, type: "microsoft.network/dnszones/a", properties: { TTL: 300 } };
    await org.pushListing(account, { data: [row], skip_token: null });
    expect(await fates(org)).toEqual({
      azurerm_virtual_network: "unobserved",
      azurerm_dns_a_record: "missing",
    });
  });

  test("makes resources of its own type missing, even as an empty page", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ONE);
    await org.pushState(await org.source("shop"), tfstate([declaredQueue("gone"), database]));
    const pages = [page("AWS::SQS::Queue"), page("AWS::SNS::Topic", `arn:aws:sns:eu-west-1:${ONE}:t`)];
    await org.pushListing(account, ndjson(pages));
    expect(await fates(org)).toEqual({ aws_sqs_queue: "missing", aws_db_instance: "unobserved" });
  });

  test.each([
    { ...aws, also: "rows of Leeway's own", listing: ndjson([page("AWS::SQS::Queue", "a"), queue("b")]) },
    { ...azure, also: "Resource Manager's list of all resources", listing: { value: [disk] } },
  ])("isn't one with $also", async ({ provider, id, listing, missing }) => {
    const org = newOrg(inventory);
    const account = await org.account(provider, id);
    await org.pushState(await org.source("shop", account.id), tfstate([missing]));
    await org.pushListing(account, listing);
    expect(await fates(org)).toEqual({ [missing.type]: "missing" });
  });
});

describe("an Azure Resource Manager list with properties", () => {
  const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
  const row = (path: string, type: string, more: object = {}) => ({
    id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/${path}`,
    type,
    location: "westeurope",
    properties: {},
    ...more,
  });
  const [disk, machine] = [
    row("Microsoft.Compute/disks/d", "Microsoft.Compute/disks"),
    row("Microsoft.Compute/virtualMachines/m", "Microsoft.Compute/virtualMachines"),
  ];
  const table = declared("azurerm_route_table", {
    id: row("Microsoft.Network/routeTables/gone", "").id,
  });
  const record = (type: string) =>
    row(`Microsoft.Network/dnsZones/example.com/${type}/www`, `Microsoft.Network/dnszones/${type}`);
  const network = row("Microsoft.Network/virtualNetworks/v", "Microsoft.Network/virtualNetworks", {
    properties: {
      subnets: [
        row("Microsoft.Network/virtualNetworks/v/subnets/s", "Microsoft.Network/virtualNetworks/subnets"),
      ],
    },
  });
  const goesOn = { nextLink: "https://management.azure.com/next" };

  test.each<[string, object[]]>([
    ["of several types", [{ value: [disk, machine] }]],
    ["of several types, page by page", [{ value: [disk], ...goesOn }, { value: [machine] }]],
    ["of several types next to one of a single type", [{ value: [disk, machine] }, { value: [network] }]],
  ])("%s covers the whole subscription", async (_, pages) => {
    const org = newOrg(inventory);
    const account = await org.account("azure", SUBSCRIPTION);
    await org.pushState(await org.source("shop", account.id), tfstate([table]));
    await org.pushListing(account, ndjson(pages));
    expect(await fates(org)).toEqual({ azurerm_route_table: "missing" });
  });

  test.each<[string, object[]]>([
    ["of one type", [{ value: [disk] }]],
    ["of one type, page by page", [{ value: [disk], ...goesOn }, { value: [disk] }]],
    ["of one type, and another of another type", [{ value: [disk] }, { value: [machine] }]],
    ["of one type, whose rows contain rows of another", [{ value: [network] }]],
    ["of records of several types", [{ value: [record("A"), record("CNAME")] }]],
  ])("%s covers no other types", async (_, pages) => {
    const org = newOrg(inventory);
    const account = await org.account("azure", SUBSCRIPTION);
    await org.pushState(await org.source("shop", account.id), tfstate([table]));
    await org.pushListing(account, ndjson(pages));
    expect(await fates(org)).toEqual({ azurerm_route_table: "unobserved" });
  });
});

const logGroup = { type: "aws_cloudwatch_log_group", name: "x", attributes: { id: "/jobs", name: "/jobs" } };
const config = (...names: string[]) => ({
  Results: names.map((name) =>
    JSON.stringify({
      resourceType: "AWS::SQS::Queue",
      resourceId: name,
      arn: arn(name, ONE),
      accountId: ONE,
    }),
  ),
});
const explorer = (...names: string[]) => ({
  Resources: names.map((name) => ({
    Arn: arn(name, ONE),
    ResourceType: "sqs:queue",
    OwningAccountId: ONE,
  })),
});

describe("a listing of an AWS Config or Resource Explorer index", () => {
  test.each([
    ["AWS Config", config],
    ["Resource Explorer", explorer],
  ])("by %s makes nothing missing of a type the account has never shown", async (_, listing) => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ONE);
    await org.pushState(await org.source("shop", account.id), tfstate([declaredQueue("gone"), logGroup]));
    await org.pushListing(account, listing("a"));
    expect(await fates(org)).toEqual({ aws_sqs_queue: "missing", aws_cloudwatch_log_group: "unobserved" });
    expect(await org.posture()).toMatchObject([{ missing_count: 1 }]);
  });

  test("makes the last resource of a type missing if the account has shown it before", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ONE);
    await org.pushState(await org.source("shop", account.id), tfstate([declaredQueue("a")]));
    const topic = JSON.stringify({ resourceType: "AWS::SNS::Topic", arn: `arn:aws:sns:eu-west-1:${ONE}:t` });
    await org.pushListing(account, { Results: [...config("a").Results, topic] });
    await org.pushListing(account, { Results: [topic] });
    expect(await fates(org)).toEqual({ aws_sqs_queue: "missing" });
  });

  test("next to pages of single types makes resources of those types missing", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ONE);
    await org.pushState(await org.source("shop", account.id), tfstate([logGroup, declaredQueue("a")]));
    await org.pushListing(account, ndjson([config("a"), page("AWS::Logs::LogGroup")]));
    expect(await fates(org)).toEqual({ aws_sqs_queue: "matched", aws_cloudwatch_log_group: "missing" });
  });
});

describe("a resource group in Azure", () => {
  const SUBSCRIPTION = "0a1b2c3d-1111-2222-3333-444455556666";
  const groupId = (name: string) => `/subscriptions/${SUBSCRIPTION}/resourceGroups/${name}`;
  const store = {
    id: `${groupId("shop")}/providers/Microsoft.Storage/storageAccounts/shop`,
    type: "Microsoft.Storage/storageAccounts",
    location: "westeurope",
  };
  const group = (name: string) => ({
    id: groupId(name),
    type: "microsoft.resources/subscriptions/resourcegroups",
    location: "westeurope",
  });
  const start = async () => {
    const org = newOrg(inventory);
    const account = await org.account("azure", SUBSCRIPTION);
    const shop = declared("azurerm_resource_group", { id: groupId("shop"), location: "westeurope" });
    await org.pushState(await org.source("shop", account.id), tfstate([shop]));
    return { org, account };
  };

  test.each([
    ["the table of resources", { data: [{ ...store, properties: {} }], skip_token: null }],
    ["`az resource list`", [store]],
  ])("isn't missing in %s, which has none", async (_, listing) => {
    const { org, account } = await start();
    await org.pushListing(account, listing);
    expect(await fates(org)).toEqual({ azurerm_resource_group: "unobserved" });
    expect(await org.posture()).toMatchObject([{ missing_count: 0, risk_level: "none" }]);
  });

  test("is missing in a listing that contains others", async () => {
    const { org, account } = await start();
    await org.pushListing(account, { data: [group("shop"), group("jobs"), store], skip_token: null });
    expect(await fates(org)).toEqual({ azurerm_resource_group: "matched" });
    await org.pushListing(account, { data: [group("jobs"), store], skip_token: null });
    expect(await fates(org)).toEqual({ azurerm_resource_group: "missing" });
  });
});

const ec2 = (resource: string) => `arn:aws:ec2:eu-west-1:${ONE}:${resource}`;
const groupRule = (security_group_rule_id: string) => ({
  type: "aws_security_group_rule",
  name: security_group_rule_id === "" ? "of_two" : security_group_rule_id,
  attributes: {
    id: `sgrule-${security_group_rule_id}`,
    security_group_id: "sg-1",
    type: "ingress",
    cidr_blocks: ["10.0.0.0/8", "192.168.0.0/16"],
    security_group_rule_id,
  },
});
/** Builds a rule as older provider versions store it, without the rule's id. */
const oldRule = (name: string, ...cidr_blocks: string[]) => ({
  type: "aws_security_group_rule",
  name,
  attributes: { id: `sgrule-${name}`, security_group_id: "sg-1", type: "ingress", cidr_blocks },
});
const indexed = (Arn: string, ResourceType: string) => ({ Arn, ResourceType, OwningAccountId: ONE });

describe("security group rules listed only by id", () => {
  test("aren't undeclared, and those without an id in the state aren't missing", async () => {
    const org = newOrg(inventory);
    const account = await org.account("aws", ONE);
    const group = declared("aws_security_group", { id: "sg-1", arn: ec2("security-group/sg-1") });
    const rules = [
      groupRule(""),
      groupRule("sgr-3"),
      groupRule("sgr-4"),
      oldRule("old_of_one", "10.0.0.0/8"),
      oldRule("old_of_two", "10.0.0.0/8", "192.168.0.0/16"),
    ];
    await org.pushState(await org.source("shop", account.id), tfstate([group, ...rules]));
    const ids = ["sgr-1", "sgr-2", "sgr-3"].map((id) => ec2(`security-group-rule/${id}`));
    await org.pushListing(account, {
      Resources: [
        indexed(ec2("security-group/sg-1"), "ec2:security-group"),
        ...ids.map((id) => indexed(id, "ec2:security-group-rule")),
      ],
    });
    const statuses = (await org.declared()).map(({ address, match }) => [address, match.status]);
    expect(Object.fromEntries(statuses)).toEqual({
      "aws_security_group.x": "matched",
      "aws_security_group_rule.of_two": "unobserved",
      "aws_security_group_rule.old_of_one": "unobserved",
      "aws_security_group_rule.old_of_two": "unobserved",
      "aws_security_group_rule.sgr-3": "matched",
      "aws_security_group_rule.sgr-4": "missing",
    });
    expect(await org.posture()).toMatchObject([{ undeclared_count: 0, excluded_count: 2, matched_count: 2 }]);
  });
});
