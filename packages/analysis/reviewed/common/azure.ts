import {
  databaseFirewallRule,
  GROUP,
  roleAssignment,
  securityGroup,
  securityRule,
  standaloneRule,
  SUBSCRIPTION,
} from "../estate/azure.ts";
import { knownWhenNew } from "../plan.ts";
import type { CommonType } from "./common-type.ts";

const liveRule = (sourceAddressPrefix: string, destinationPortRange: string) => ({
  provisioningState: "Succeeded",
  access: "Allow",
  direction: "Inbound",
  priority: 200,
  protocol: "Tcp",
  sourceAddressPrefix,
  sourceAddressPrefixes: [],
  sourcePortRange: "*",
  sourcePortRanges: [],
  destinationAddressPrefix: "*",
  destinationAddressPrefixes: [],
  destinationPortRange,
  destinationPortRanges: [],
});
const liveGroup = (sourceAddressPrefix: string, destinationPortRange: string) => ({
  provisioningState: "Succeeded",
  resourceGuid: "f0e98d08-44d6-4d3e-9b3c-9d327c352a23",
  securityRules: [
    {
      name: "in",
      id: `${GROUP}/providers/Microsoft.Network/networkSecurityGroups/shop/securityRules/in`,
      type: "Microsoft.Network/networkSecurityGroups/securityRules",
      properties: liveRule(sourceAddressPrefix, destinationPortRange),
    },
  ],
});
/** Builds a row of the table `authorizationresources`. */
const liveAssignment = (role: string, scope: string) => ({
  roleDefinitionId: `${SUBSCRIPTION}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
  principalId: "b7d3e1f0-58c2-4a9b-86e4-0c1f2a3d4e5b",
  principalType: "ServicePrincipal",
  scope,
  condition: null,
  createdOn: "2026-03-11T09:34:12.0000000Z",
});
const OWNER = "8e3af657-a8ff-443c-a75c-2fe8c4bcb635";
const READER = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

/** Azure: firewalls and roles. */
export const AZURE: readonly CommonType[] = [
  {
    type: "azurerm_network_security_group",
    harmless: knownWhenNew(securityGroup(securityRule("10.60.0.0/16", "8443"))),
    medium: "firewall",
    exposed: {
      after: knownWhenNew(securityGroup(securityRule("Internet", "22"))),
      level: "critical",
      why: "SSH is open to the internet.",
    },
    live: {
      provider_type: "Microsoft.Network/networkSecurityGroups",
      harmless: liveGroup("10.60.0.0/16", "8443"),
      exposed: liveGroup("Internet", "22"),
    },
  },
  {
    type: "azurerm_network_security_rule",
    harmless: knownWhenNew(standaloneRule("10.60.0.0/16", "8443")),
    medium: "firewall",
    exposed: {
      after: knownWhenNew(standaloneRule("*", "3389")),
      level: "critical",
      why: "RDP is open to the internet.",
    },
    live: {
      // Resource Graph lists rules inside their group; Resource Manager lists them separately.
      provider_type: "Microsoft.Network/networkSecurityGroups/securityRules",
      harmless: liveRule("10.60.0.0/16", "8443"),
      exposed: liveRule("*", "3389"),
    },
  },
  {
    type: "azurerm_role_assignment",
    harmless: knownWhenNew(roleAssignment("Reader", GROUP)),
    medium: "access",
    exposed: {
      after: knownWhenNew(roleAssignment("Owner", SUBSCRIPTION)),
      level: "critical",
      why: "Owner of the subscription controls everything in it.",
    },
    live: {
      provider_type: "Microsoft.Authorization/roleAssignments",
      harmless: liveAssignment(READER, GROUP),
      exposed: liveAssignment(OWNER, SUBSCRIPTION),
    },
  },
  {
    type: "azurerm_mssql_firewall_rule",
    harmless: knownWhenNew(databaseFirewallRule("203.0.113.50", "203.0.113.50")),
    medium: "firewall",
    exposed: {
      after: knownWhenNew(databaseFirewallRule("0.0.0.0", "255.255.255.255")),
      level: "critical",
      why: "The database accepts connections from the whole internet.",
    },
    live: {
      provider_type: "Microsoft.Sql/servers/firewallRules",
      harmless: { startIpAddress: "203.0.113.50", endIpAddress: "203.0.113.50" },
      exposed: { startIpAddress: "0.0.0.0", endIpAddress: "255.255.255.255" },
    },
  },
  {
    type: "azurerm_postgresql_flexible_server_firewall_rule",
    harmless: knownWhenNew(databaseFirewallRule("203.0.113.50", "203.0.113.50")),
    medium: "firewall",
    exposed: {
      after: knownWhenNew(databaseFirewallRule("0.0.0.0", "255.255.255.255")),
      level: "critical",
      why: "The database accepts connections from the whole internet.",
    },
    live: {
      provider_type: "Microsoft.DBforPostgreSQL/flexibleServers/firewallRules",
      harmless: { startIpAddress: "203.0.113.50", endIpAddress: "203.0.113.50" },
      exposed: { startIpAddress: "0.0.0.0", endIpAddress: "255.255.255.255" },
    },
  },
];
