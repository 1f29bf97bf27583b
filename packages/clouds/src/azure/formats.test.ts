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
  ])("is read in the format of %s", (_, page) => {
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

  test("rows without properties are incomplete", () => {
    expect(readPage({ count: 1, data: [{ id: SITE }], total_records: 1 })).toMatchObject([
      { complete: false, name: "front" },
    ]);
  });

  test.each([
    ["az graph query", { count: 1, data: [{ location: "westeurope", count_: 11 }], total_records: 1 }],
    ["the table form", { totalRecords: 1, count: 1, data: { columns: [{ name: "count_" }], rows: [[11]] } }],
  ])("an aggregation in %s is refused with its name", (_, page) => {
    expect(readPage(page)).toBeNull();
    expect(nameDocument(page, [azure])).toStartWith("an Azure Resource Graph aggregation");
  });

  test("findings, changes and policy states aren't resources", () => {
    const reports = [
      `${SITE}/providers/Microsoft.Advisor/recommendations/1`,
      `${SITE}/providers/microsoft.resources/changes/2`,
      `${SITE}/providers/Microsoft.PolicyInsights/policyStates/3`,
    ];
    expect(
      readPage({ count: 4, data: [row, ...reports.map((id) => ({ id }))], total_records: 4 }),
    ).toHaveLength(1);
  });

  test("a table without columns isn't read", () => {
    const [, table] = azure.formats;
    expect(table?.read([SITE], { data: {} })).toBeNull();
    expect(table?.needs).toEqual(["data"]);
  });
});

describe("Azure Resource Manager", () => {
  test.each([
    ["a list with a next link", { value: [{ id: SITE }], nextLink: "https://management.azure.com/next" }],
    ["a single resource", { id: SITE, name: "front", type: "Microsoft.Web/sites" }],
  ])("%s is read", (_, page) => {
    expect(readPage(page)).toMatchObject([{ provider_resource_id: SITE }]);
  });

  test("a resource group in a list gets its type from its id", () => {
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
    ["an unknown type", `${GROUP}/providers/Microsoft.New/things/t`, "Microsoft.New/things"],
    [
      "a type in another case",
      `${GROUP}/providers/microsoft.INSIGHTS/metricalerts/m`,
      "Microsoft.Insights/metricAlerts",
    ],
  ])("%s has the type in its id", (_, id, type) => {
    expect(readPage({ value: [{ id, type: "anything" }] })).toMatchObject([
      { provider_type: type, provider_resource_id: id },
    ]);
  });

  test("a management group has no subscription, and a global resource no region", () => {
    const [group] =
      readPage({ value: [{ id: "/providers/Microsoft.Management/managementGroups/root" }] }) ?? [];
    expect(group).not.toHaveProperty("account");
    const [zone] =
      readPage({
        value: [{ id: `${GROUP}/providers/Microsoft.Network/dnsZones/example.com`, location: "global" }],
      }) ?? [];
    expect(zone).not.toHaveProperty("region");
  });

  test("a child's name doesn't include its parent's", () => {
    const id = `${GROUP}/providers/Microsoft.Cache/redis/r/firewallRules/office`;
    expect(readPage({ value: [{ id, name: "r/office" }] })).toMatchObject([{ name: "office" }]);
  });

  test.each([
    ["systemData", { systemData: { createdAt: "2026-03-16T18:13:07.5523873Z" } }, "2026-03-16T18:13:07.552Z"],
    ["az resource list", { createdTime: "2024-01-02T03:04:05.600000+00:00" }, "2024-01-02T03:04:05.600Z"],
    ["a disk", { properties: { timeCreated: "2023-05-06T07:08:09Z" } }, "2023-05-06T07:08:09.000Z"],
    ["the year 1 as unknown", { properties: { creationDate: "0001-01-01T00:00:00Z" } }, undefined],
    ["text as unknown", { properties: { creationTime: "yesterday" } }, undefined],
    ["an invalid date as unknown", { createdTime: "2024-13-45T99:00:00Z" }, undefined],
  ])("the creation time is read from %s", (_, row, time) => {
    expect(readPage({ value: [{ id: SITE, ...row }] })?.[0]?.created_at).toBe(time);
  });

  test("tags that aren't text are skipped, and any tag name is safe", () => {
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

  test("subnets and security rules are resources too, except default rules", () => {
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

describe("a document that isn't a listing", () => {
  test.each([
    [
      "an Azure activity log",
      { value: [{ id: `${SITE}/events/1/ticks/2`, eventTimestamp: "2024-01-01T00:00:00Z" }] },
    ],
    ["the contents of a Key Vault", { value: [{ id: "https://kv.vault.azure.net/secrets/token" }] }],
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
      "the status of an Azure operation",
      {
        id: "https://management.azure.com/subscriptions/1/providers/Microsoft.EventGrid/operationsStatus/1",
        status: "Succeeded",
      },
    ],
    ["an Azure resource change record", { beforeSnapshot: {}, afterSnapshot: {} }],
    ["an error response of Azure", { error: { code: "AuthorizationFailed", message: "no" } }],
  ])("%s is refused with its name", (name, page) => {
    expect(readPage(page)).toBeNull();
    expect(nameDocument(page, [azure])).toStartWith(name);
  });
});
