import { inAnyCase, words } from "../../azure-shapes.ts";
import type { MappingTable } from "../../mapping.ts";
import { row, same, switched } from "../../shapes.ts";

const CIRCUIT = "serviceProviderProperties.";
/** Rows of a type without settings; only its tags are compared. */
const NAMED = {};

/** Azure types for connecting networks, DNS and global access; see `AZURE`. */
export const AZURE_WAN: MappingTable = {
  azurerm_application_security_group: NAMED,
  azurerm_dns_zone: NAMED,
  azurerm_private_dns_zone: NAMED,
  azurerm_network_ddos_protection_plan: NAMED,
  azurerm_network_watcher: NAMED,
  azurerm_ip_group: { cidrs: row("ipAddresses", inAnyCase) },
  azurerm_public_ip_prefix: same("prefix_length"),
  azurerm_virtual_wan: same("allow_branch_to_branch_traffic disable_vpn_encryption"),
  azurerm_virtual_hub: {
    ...same("address_prefix"),
    ...words({
      sku: "sku",
      hub_routing_preference: "hubRoutingPreference",
      virtual_wan_id: "virtualWan.id",
    }),
  },
  azurerm_express_route_circuit: {
    ...same("allow_classic_operations"),
    ...words({
      service_provider_name: `${CIRCUIT}serviceProviderName`,
      peering_location: `${CIRCUIT}peeringLocation`,
      "sku.tier": "/sku.tier",
      "sku.family": "/sku.family",
    }),
    bandwidth_in_mbps: `${CIRCUIT}bandwidthInMbps`,
  },
  azurerm_virtual_network_gateway_connection: {
    ...words({
      type: "connectionType",
      connection_protocol: "connectionProtocol",
      connection_mode: "connectionMode",
    }),
    ...same("routing_weight dpd_timeout_seconds"),
    enable_bgp: "enableBgp",
    bgp_enabled: "enableBgp",
    use_policy_based_traffic_selectors: "usePolicyBasedTrafficSelectors",
  },
  azurerm_vpn_site: { address_cidrs: row("addressSpace.addressPrefixes", inAnyCase) },
  azurerm_private_link_service: {
    auto_approval_subscription_ids: row("autoApproval.subscriptions", inAnyCase),
    visibility_subscription_ids: row("visibility.subscriptions", inAnyCase),
    enable_proxy_protocol: "enableProxyProtocol",
    proxy_protocol_enabled: "enableProxyProtocol",
  },
  azurerm_traffic_manager_profile: {
    ...words({
      profile_status: "profileStatus",
      traffic_routing_method: "trafficRoutingMethod",
      "monitor_config.protocol": "monitorConfig.protocol",
    }),
    traffic_view_enabled: row("trafficViewEnrollmentStatus", switched),
    "dns_config.ttl": "dnsConfig.ttl",
    "dns_config.relative_name": "dnsConfig.relativeName",
    "monitor_config.port": "monitorConfig.port",
    "monitor_config.path": "monitorConfig.path",
    "monitor_config.interval_in_seconds": "monitorConfig.intervalInSeconds",
    "monitor_config.timeout_in_seconds": "monitorConfig.timeoutInSeconds",
    "monitor_config.tolerated_number_of_failures": "monitorConfig.toleratedNumberOfFailures",
  },
  azurerm_cdn_endpoint: {
    ...same("is_http_allowed is_https_allowed is_compression_enabled origin_host_header"),
    ...words({ querystring_caching_behaviour: "queryStringCachingBehavior" }),
  },
  azurerm_frontdoor_firewall_policy: {
    enabled: row("policySettings.enabledState", switched),
    ...words({ mode: "policySettings.mode" }),
    redirect_url: "policySettings.redirectUrl",
  },
};
