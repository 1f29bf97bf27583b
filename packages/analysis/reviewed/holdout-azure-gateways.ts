import { standaloneRule } from "./estate/azure.ts";
import { frontDoorFirewall, gateway, gatewayFirewall, origin, route } from "./holdout-estate/azure-edge.ts";
import { changedBlock, created, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** Azure: front doors, gateways and network rules. */
export const HOLDOUT_AZURE_GATEWAYS: readonly ReviewedPlan[] = [
  {
    name: "the web firewall of Front Door only detects",
    level: "high",
    why: "Attacks are logged and no longer blocked.",
    plan: planOf(
      updated("azurerm_cdn_frontdoor_firewall_policy.shop", frontDoorFirewall, { mode: "Detection" }),
    ),
  },
  {
    name: "the web firewall of Front Door blocks a range",
    level: "medium",
    why: "A firewall rule; it might block customers.",
    plan: planOf(
      updated("azurerm_cdn_frontdoor_firewall_policy.shop", frontDoorFirewall, {
        custom_rule: [
          {
            name: "bad",
            action: "Block",
            enabled: true,
            priority: 1,
            type: "MatchRule",
            match_condition: [
              { match_variable: "RemoteAddr", operator: "IPMatch", match_values: ["192.0.2.0/24"] },
            ],
          },
        ],
      }),
    ),
  },
  {
    name: "Front Door talks plain HTTP to the shop",
    level: "high",
    why: "Requests cross the internet unencrypted behind Front Door.",
    plan: planOf(updated("azurerm_cdn_frontdoor_route.shop", route, { forwarding_protocol: "HttpOnly" })),
  },
  {
    name: "Front Door compresses and caches",
    level: "low",
    why: "Faster pages; the origin's headers still decide what is cached.",
    plan: planOf(
      updated("azurerm_cdn_frontdoor_route.shop", route, {
        cache: [{ compression_enabled: true, query_string_caching_behavior: "UseQueryString" }],
      }),
    ),
  },
  {
    name: "Front Door sends less traffic to a region",
    level: "medium",
    why: "Traffic takes another path.",
    plan: planOf(updated("azurerm_cdn_frontdoor_origin.westeurope", origin, { weight: 50 })),
  },
  {
    name: "the web firewall of a gateway only detects",
    level: "high",
    why: "Attacks are logged and no longer blocked.",
    plan: planOf(
      updated(
        "azurerm_web_application_firewall_policy.ledger",
        gatewayFirewall,
        changedBlock(gatewayFirewall, "policy_settings", { mode: "Detection" }),
      ),
    ),
  },
  {
    name: "a gateway accepts larger uploads",
    level: "low",
    why: "A limit of the application.",
    plan: planOf(
      updated(
        "azurerm_web_application_firewall_policy.ledger",
        gatewayFirewall,
        changedBlock(gatewayFirewall, "policy_settings", { file_upload_limit_in_mb: 200 }),
      ),
    ),
  },
  {
    name: "a gateway loses its web firewall",
    level: "high",
    why: "Requests are no longer filtered.",
    plan: planOf(
      updated("azurerm_application_gateway.ledger", gateway, {
        firewall_policy_id: "",
        sku: [{ name: "Standard_v2", tier: "Standard_v2", capacity: 0 }],
      }),
    ),
  },
  {
    name: "a gateway may grow further",
    level: "low",
    why: "More capacity at peaks.",
    plan: planOf(
      updated(
        "azurerm_application_gateway.ledger",
        gateway,
        changedBlock(gateway, "autoscale_configuration", { max_capacity: 20 }),
      ),
    ),
  },
  {
    name: "SSH from every machine in Azure",
    level: "high",
    why: "Anyone can rent a machine in Azure.",
    plan: planOf(created("azurerm_network_security_rule.ssh", standaloneRule("AzureCloud", "22"))),
  },
  {
    name: "SSH from both halves of the internet",
    level: "critical",
    why: "Two ranges that together are every address.",
    plan: planOf(
      created(
        "azurerm_network_security_rule.ssh",
        standaloneRule("", "22", {
          source_address_prefix: null,
          source_address_prefixes: ["0.0.0.0/1", "128.0.0.0/1"],
        }),
      ),
    ),
  },
  {
    name: "HTTPS from Front Door only",
    level: "medium",
    why: "A narrow rule; every rule is read.",
    plan: planOf(
      created("azurerm_network_security_rule.https", standaloneRule("AzureFrontDoor.Backend", "443")),
    ),
  },
  {
    name: "remote desktop inside the network",
    level: "medium",
    why: "Only from the virtual network; every rule is read.",
    plan: planOf(created("azurerm_network_security_rule.rdp", standaloneRule("VirtualNetwork", "3389"))),
  },
];
