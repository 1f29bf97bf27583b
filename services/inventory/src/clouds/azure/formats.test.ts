import { describe, expect, test } from "bun:test";

import { nameDocument } from "../known-documents.ts";
import { azure } from "./azure.ts";
import { readPage } from "./page.fixture.ts";

const SUBSCRIPTION = "6f1b2c3d-0000-4000-8000-00000000000a";
const GROUP = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop`;
const SITE = `${GROUP}/providers/Microsoft.Web/sites/front`;

describe("Azure Resource Graph", () => {
  const row = {
    id: SITE,
    name: "front",
    type: "microsoft.web/sites",
    location: "westeurope",
    tags: { team: "web" },
    properties: { state: "Running" },
  };

  test.each([
    ["az graph query", { count: 1, data: [row], skip_token: null, total_records: 1 }],
    ["the REST API", { totalRecords: 1, count: 1, data: [row], facets: [], resultTruncated: "false" }],
    [
      "the REST API's table form",
      {
        totalRecords: 1,
        count: 1,
        data: {
          columns: Object.keys(row).map((name) => ({ name, type: "string" })),
          rows: [Object.values(row)],
        },
        facets: [],
      },
    ],
  ])("is read as %s prints it", (_, page) => {
    expect(readPage(page)).toEqual([
      {
        provider_resource_id: SITE,
        provider_type: "Microsoft.Web/sites",
        account: SUBSCRIPTION,
        region: "westeurope",
        name: "front",
        tags: { team: "web" },
        properties: row,
        complete: true,
      },
    ]);
  });

  test("rows that project no properties are incomplete", () => {
    expect(readPage({ count: 1, data: [{ id: SITE }], total_records: 1 })).toMatchObject([
      { complete: false, name: "front" },
    ]);
  });

  test.each([
    ["az graph query", { count: 1, data: [{ location: "westeurope", count_: 11 }], total_records: 1 }],
    ["the table form", { totalRecords: 1, count: 1, data: { columns: [{ name: "count_" }], rows: [[11]] } }],
  ])("an aggregation in %s is no listing, and is called by its name", (_, page) => {
    expect(readPage(page)).toBeNull();
    expect(nameDocument(page, [azure])).toStartWith("an Azure Resource Graph aggregation");
  });

  test("what it tells about resources (findings, changes, policy states) is no resource", () => {
    const reports = [
      `${SITE}/providers/Microsoft.Advisor/recommendations/1`,
      `${SITE}/providers/microsoft.resources/changes/2`,
      `${SITE}/providers/Microsoft.PolicyInsights/policyStates/3`,
    ];
    expect(
      readPage({ count: 4, data: [row, ...reports.map((id) => ({ id }))], total_records: 4 }),
    ).toHaveLength(1);
  });

  test("a table whose columns are unknown isn't read", () => {
    const [, table] = azure.formats;
    expect(table?.read([SITE], { data: {} })).toBeNull();
    expect(table?.needs).toEqual(["data"]);
  });
});

describe("Azure Resource Manager", () => {
  test.each([
    ["a list with a next link", { value: [{ id: SITE }], nextLink: "https://management.azure.com/next" }],
    ["one resource alone", { id: SITE, name: "front", type: "Microsoft.Web/sites" }],
  ])("%s is read", (_, page) => {
    expect(readPage(page)).toMatchObject([{ provider_resource_id: SITE }]);
  });

  test("a resource group has no type of its own in lists", () => {
    expect(
      readPage({
        value: [{ id: GROUP, location: "East US", properties: { provisioningState: "Succeeded" } }],
      }),
    ).toMatchObject([
      { provider_type: "Microsoft.Resources/subscriptions/resourceGroups", region: "eastus", name: "shop" },
    ]);
  });

  test.each([
    [
      "an extension resource",
      `${SITE}/providers/Microsoft.Authorization/roleAssignments/9`,
      "Microsoft.Authorization/roleAssignments",
    ],
    [
      "a type that the catalog doesn't know",
      `${GROUP}/providers/Microsoft.New/things/t`,
      "Microsoft.New/things",
    ],
    [
      "a type in another case",
      `${GROUP}/providers/microsoft.INSIGHTS/metricalerts/m`,
      "Microsoft.Insights/metricAlerts",
    ],
  ])("%s has the type that its id tells", (_, id, type) => {
    expect(readPage({ value: [{ id, type: "anything" }] })).toMatchObject([
      { provider_type: type, provider_resource_id: id },
    ]);
  });

  test("a management group belongs to no subscription, a global resource to no region", () => {
    const [group] =
      readPage({ value: [{ id: "/providers/Microsoft.Management/managementGroups/root" }] }) ?? [];
    expect(group).not.toHaveProperty("account");
    const [zone] =
      readPage({
        value: [{ id: `${GROUP}/providers/Microsoft.Network/dnsZones/example.com`, location: "global" }],
      }) ?? [];
    expect(zone).not.toHaveProperty("region");
  });

  test("a child's name leaves out its parent's", () => {
    const id = `${GROUP}/providers/Microsoft.Cache/redis/r/firewallRules/office`;
    expect(readPage({ value: [{ id, name: "r/office" }] })).toMatchObject([{ name: "office" }]);
  });

  test.each([
    ["systemData", { systemData: { createdAt: "2026-03-16T18:13:07.5523873Z" } }, "2026-03-16T18:13:07.552Z"],
    ["az resource list", { createdTime: "2024-01-02T03:04:05.600000+00:00" }, "2024-01-02T03:04:05.600Z"],
    ["a disk", { properties: { timeCreated: "2023-05-06T07:08:09Z" } }, "2023-05-06T07:08:09.000Z"],
    ["the year 1, which means unknown", { properties: { creationDate: "0001-01-01T00:00:00Z" } }, undefined],
    ["words", { properties: { creationTime: "yesterday" } }, undefined],
    ["a day that isn't", { createdTime: "2024-13-45T99:00:00Z" }, undefined],
  ])("the creation time is read from %s", (_, row, time) => {
    expect(readPage({ value: [{ id: SITE, ...row }] })?.[0]?.created_at).toBe(time);
  });

  test("tags that aren't texts are left out, and no tag does harm", () => {
    const tags = Object.fromEntries([
      ["__proto__", "x"],
      ["constructor", "y"],
      ["n", 1],
      ["o", {}],
    ]);
    const [site] = readPage({ value: [{ id: SITE, tags }] }) ?? [];
    expect(Object.entries(site?.tags ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  test("a network's subnets and a security group's rules are resources too, the default rules aren't", () => {
    const network = `${GROUP}/providers/Microsoft.Network/virtualNetworks/v`;
    const firewall = `${GROUP}/providers/Microsoft.Network/networkSecurityGroups/n`;
    const listed = readPage({
      value: [
        {
          id: network,
          location: "westeurope",
          properties: { subnets: [{ id: `${network}/subnets/a`, properties: {} }, "?"] },
        },
        {
          id: firewall,
          properties: {
            securityRules: [{ id: `${firewall}/securityRules/ssh` }, { id: `${GROUP}/elsewhere/rule` }],
            defaultSecurityRules: [{ id: `${firewall}/defaultSecurityRules/DenyAllInBound` }],
          },
        },
      ],
    });
    expect(
      listed?.map(({ provider_type, name, region, complete }) => [provider_type, name, region, complete]),
    ).toEqual([
      ["Microsoft.Network/virtualNetworks", "v", "westeurope", true],
      ["Microsoft.Network/virtualNetworks/subnets", "a", "westeurope", true],
      ["Microsoft.Network/networkSecurityGroups", "n", undefined, true],
      ["Microsoft.Network/networkSecurityGroups/securityRules", "ssh", undefined, false],
    ]);
  });
});

describe("what is no listing", () => {
  test.each([
    [
      "an Azure activity log",
      { value: [{ id: `${SITE}/events/1/ticks/2`, eventTimestamp: "2024-01-01T00:00:00Z" }] },
    ],
    ["a listing of a Key Vault's contents", { value: [{ id: "https://kv.vault.azure.net/secrets/token" }] }],
    [
      "an Azure resource provider registration",
      { id: "/subscriptions/1/providers/Microsoft.Web", registrationState: "Registered", resourceTypes: [] },
    ],
    [
      "a list of Azure service tags",
      { values: [{ id: "Sql", properties: { addressPrefixes: ["10.0.0.0/8"] } }] },
    ],
    [
      "an Azure Resource Manager template",
      {
        $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
        resources: [],
      },
    ],
    [
      "the state of an Azure operation",
      {
        id: "https://management.azure.com/subscriptions/1/providers/Microsoft.EventGrid/operationsStatus/1",
        status: "Succeeded",
      },
    ],
    ["an Azure resource change record", { beforeSnapshot: {}, afterSnapshot: {} }],
    ["an error answer of Azure", { error: { code: "AuthorizationFailed", message: "no" } }],
  ])("%s is refused by its name", (name, page) => {
    expect(readPage(page)).toBeNull();
    expect(nameDocument(page, [azure])).toStartWith(name);
  });
});
