import type { JsonObject } from "@leeway/shared/values/json";

import { webApp } from "../estate/azure-services.ts";
import { azure, GROUP, kubernetesCluster } from "../estate/azure.ts";
import { changedBlock } from "../plan.ts";

const CDN = `${GROUP}/providers/Microsoft.Cdn/profiles/shop`;
export const frontDoorFirewall: JsonObject = {
  id: `${GROUP}/providers/Microsoft.Network/frontDoorWebApplicationFirewallPolicies/shop`,
  name: "shop",
  resource_group_name: "shop-prod",
  enabled: true,
  mode: "Prevention",
  request_body_check_enabled: true,
  sku_name: "Premium_AzureFrontDoor",
  custom_rule: [],
  managed_rule: [
    { type: "Microsoft_DefaultRuleSet", version: "2.1", action: "Block", exclusion: [], override: [] },
  ],
};
export const route: JsonObject = {
  id: `${CDN}/afdEndpoints/shop/routes/default`,
  name: "default",
  cdn_frontdoor_endpoint_id: `${CDN}/afdEndpoints/shop`,
  cdn_frontdoor_origin_group_id: `${CDN}/originGroups/shop`,
  cache: [],
  enabled: true,
  forwarding_protocol: "HttpsOnly",
  https_redirect_enabled: true,
  patterns_to_match: ["/*"],
  supported_protocols: ["Http", "Https"],
};
export const origin: JsonObject = {
  id: `${CDN}/originGroups/shop/origins/westeurope`,
  name: "westeurope",
  cdn_frontdoor_origin_group_id: `${CDN}/originGroups/shop`,
  certificate_name_check_enabled: true,
  enabled: true,
  host_name: "lumen-shop.azurewebsites.net",
  https_port: 443,
  priority: 1,
  weight: 500,
};
export const gatewayFirewall: JsonObject = azure(
  "Microsoft.Network/ApplicationGatewayWebApplicationFirewallPolicies",
  "ledger",
  {
    custom_rules: [],
    managed_rules: [{ exclusion: [], managed_rule_set: [{ type: "OWASP", version: "3.2" }] }],
    policy_settings: [
      { enabled: true, mode: "Prevention", request_body_check: true, file_upload_limit_in_mb: 100 },
    ],
  },
);
export const gateway: JsonObject = azure("Microsoft.Network/applicationGateways", "ledger", {
  autoscale_configuration: [{ min_capacity: 2, max_capacity: 10 }],
  enable_http2: true,
  firewall_policy_id: gatewayFirewall["id"] ?? null,
  http_listener: [
    { name: "https", frontend_port_name: "443", protocol: "Https", host_name: "ledger.example" },
  ],
  sku: [{ name: "WAF_v2", tier: "WAF_v2", capacity: 0 }],
  ssl_policy: [{ policy_type: "Predefined", policy_name: "AppGwSslPolicy20220101" }],
  zones: ["1", "2", "3"],
});
export const publicCluster: JsonObject = {
  ...kubernetesCluster,
  private_cluster_enabled: false,
  api_server_access_profile: [{ authorized_ip_ranges: ["203.0.113.48/29"] }],
};
export const workers: JsonObject = {
  id: `${GROUP}/providers/Microsoft.ContainerService/managedClusters/production/agentPools/workers`,
  name: "workers",
  kubernetes_cluster_id: `${GROUP}/providers/Microsoft.ContainerService/managedClusters/production`,
  auto_scaling_enabled: true,
  min_count: 2,
  max_count: 8,
  mode: "User",
  os_sku: "Ubuntu",
  vm_size: "Standard_D4s_v5",
  temporary_name_for_rotation: "",
  zones: ["1", "2", "3"],
};
export const endpoint: JsonObject = azure("Microsoft.Network/privateEndpoints", "invoices", {
  subnet_id: `${GROUP}/providers/Microsoft.Network/virtualNetworks/shop/subnets/endpoints`,
  private_service_connection: [
    {
      name: "invoices",
      is_manual_connection: false,
      private_connection_resource_id: `${GROUP}/providers/Microsoft.Storage/storageAccounts/lumeninvoices`,
      subresource_names: ["blob"],
    },
  ],
  private_dns_zone_group: [{ name: "default", private_dns_zone_ids: [`${GROUP}/blob`] }],
});
export const restricted: JsonObject = {
  ...webApp,
  ...changedBlock(webApp, "site_config", {
    ip_restriction: [
      { name: "front-door", action: "Allow", priority: 100, service_tag: "AzureFrontDoor.Backend" },
    ],
    ip_restriction_default_action: "Deny",
  }),
};
export const signedIn: JsonObject = {
  ...webApp,
  auth_settings_v2: [
    { auth_enabled: true, require_authentication: true, unauthenticated_action: "RedirectToLoginPage" },
  ],
};
export const policyXml = (checks: string): JsonObject => ({
  id: `${GROUP}/providers/Microsoft.ApiManagement/service/lumen/apis/orders`,
  api_name: "orders",
  api_management_name: "lumen",
  resource_group_name: "shop-prod",
  xml_link: null,
  xml_content: `<policies><inbound><base />${checks}</inbound><backend><base /></backend></policies>`,
});
export const VALIDATE =
  '<validate-jwt header-name="Authorization"><openid-config url="https://login.example/config" /></validate-jwt>';
export const HEADER = '<set-header name="X-Api"><value>orders</value></set-header>';
export const ordersApi: JsonObject = {
  id: `${GROUP}/providers/Microsoft.ApiManagement/service/lumen/apis/orders;rev=1`,
  name: "orders",
  api_management_name: "lumen",
  resource_group_name: "shop-prod",
  display_name: "Orders",
  path: "orders",
  protocols: ["https"],
  revision: "1",
  service_url: "https://orders.internal.lumen-shop.example",
  subscription_required: true,
};
export const firewallRules = (more: JsonObject): JsonObject => ({
  id: `${GROUP}/providers/Microsoft.Network/firewallPolicies/hub/ruleCollectionGroups/shop`,
  name: "shop",
  firewall_policy_id: `${GROUP}/providers/Microsoft.Network/firewallPolicies/hub`,
  priority: 500,
  application_rule_collection: [],
  network_rule_collection: [],
  nat_rule_collection: [],
  ...more,
});
export const DNAT = {
  name: "rdp",
  action: "Dnat",
  priority: 100,
  rule: [
    {
      name: "jump",
      protocols: ["TCP"],
      source_addresses: ["*"],
      destination_address: "198.51.100.61",
      destination_ports: ["3389"],
      translated_address: "10.60.4.9",
      translated_port: 3389,
    },
  ],
};
export const OUTBOUND = {
  name: "payments",
  action: "Allow",
  priority: 200,
  rule: [
    {
      name: "api",
      protocols: ["TCP"],
      source_addresses: ["10.60.0.0/16"],
      destination_addresses: ["192.0.2.10"],
      destination_ports: ["443"],
    },
  ],
};
