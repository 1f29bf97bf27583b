import { describe, expect, test } from "bun:test";

import type { JsonObject } from "@leeway/shared/values/json";

import { judgedLive, testTypes } from "./created.fixture.ts";

const RULE = "Microsoft.Network/networkSecurityGroups/securityRules";
const SSH: JsonObject = {
  protocol: "Tcp",
  sourcePortRange: "*",
  destinationPortRange: "22",
  sourceAddressPrefix: "*",
  destinationAddressPrefix: "*",
  access: "Allow",
  priority: 100,
  direction: "Inbound",
};
const DECLARED_SSH: JsonObject = {
  name: "SSH",
  protocol: "Tcp",
  source_port_range: "*",
  destination_port_range: "22",
  source_address_prefix: "*",
  destination_address_prefix: "*",
  access: "Allow",
  priority: 100,
  direction: "Inbound",
};

testTypes("azure", {
  "Microsoft.Authorization/roleDefinitions": [
    {
      is: "with read access",
      live: { properties: { roleName: "r", permissions: [{ actions: ["*/read"], notActions: [] }] } },
      plan: [["azurerm_role_definition", { permissions: [{ actions: ["*/read"], not_actions: [] }] }]],
    },
    {
      is: "with full access",
      danger: true,
      live: { properties: { roleName: "r", permissions: [{ actions: ["*"], notActions: [] }] } },
      plan: [["azurerm_role_definition", { permissions: [{ actions: ["*"], not_actions: [] }] }]],
    },
  ],
  [RULE]: [
    {
      is: "printed without the properties envelope",
      danger: true,
      live: { name: "SSH", ...SSH },
      plan: [["azurerm_network_security_rule", DECLARED_SSH]],
    },
  ],
});

describe("an undeclared Azure security group", () => {
  test("ignores a rule that code declares", () => {
    const properties = { name: "nsg", properties: { securityRules: [{ name: "SSH", properties: SSH }] } };
    const part = { type: "azurerm_network_security_rule", attributes: DECLARED_SSH };
    const type = "Microsoft.Network/networkSecurityGroups";
    expect(judgedLive("azure", type, { properties }).risk_level).toBe("critical");
    expect(judgedLive("azure", type, { properties, parts: [part] }).risk_level).toBe("medium");
  });
});
