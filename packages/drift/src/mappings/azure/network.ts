import { isObject } from "@leeway/shared/values/json";

import { ipConfigurations, networkSecurityRules, routes, subnets } from "../../azure-children.ts";
import { always, opposite, SKU_NAME, words } from "../../azure-shapes.ts";
import type { MappingTable, Row, Shape } from "../../mapping.ts";
import { mirroredAzure } from "../../mirrored.ts";
import { unlessPart } from "../../parts.ts";
import { anyCase, isWord, row, same, switched } from "../../shapes.ts";

const DNS_SERVERS = "dhcpOptions.dnsServers";
const RULE = `priority direction access protocol source_port_range destination_port_range source_address_prefix
destination_address_prefix`;
const RULE_LISTS = `source_port_ranges destination_port_ranges source_address_prefixes
destination_address_prefixes`;

/** Compares address prefixes. Older APIs have a member for a single prefix. */
const prefixes: Shape = (live, declared) =>
  live === null ? undefined : mirroredAzure([live].flat(), declared);

/** Rows for a load balancer's rules. */
const FLOWS: Readonly<Record<string, string | Row>> = {
  idle_timeout_in_minutes: "idleTimeoutInMinutes",
  protocol: row("protocol", anyCase),
  enable_tcp_reset: "enableTcpReset",
  tcp_reset_enabled: "enableTcpReset",
  enable_floating_ip: "enableFloatingIP",
  floating_ip_enabled: "enableFloatingIP",
};

/** Returns a row for the id of an associated resource, which may be missing. */
const associated = (name: string, live: string): Readonly<Record<string, Row>> => ({
  [name]: always(`${live}.id`, "", anyCase),
});

/** Returns the paths of records in public and private zones. */
function records(type: string, member: string): string {
  return `${type}Records[].${member} | ${type.toLowerCase()}Records[].${member}`;
}
const TTL = { ttl: "TTL | ttl" };

/** Compares TXT records. Azure splits a long text, and the provider joins it. */
const texts: Shape = (live, declared) => {
  if (!Array.isArray(live)) return undefined;
  const blocks = live.map((record) => {
    const { value = null } = isObject(record) ? record : {};
    return { value: Array.isArray(value) ? value.map(String).join("") : value };
  });
  return mirroredAzure(blocks, declared);
};

const DNS_RECORDS: MappingTable = Object.fromEntries(
  ["dns", "private_dns"].flatMap((zone) => [
    [`azurerm_${zone}_a_record`, { ...TTL, records: records("A", "ipv4Address") }],
    // Azure and the provider write IPv6 addresses in different notations.
    [`azurerm_${zone}_aaaa_record`, TTL],
    [
      `azurerm_${zone}_cname_record`,
      { ...TTL, record: row("CNAMERecord.cname | cnameRecord.cname", anyCase) },
    ],
    [`azurerm_${zone}_ptr_record`, { ...TTL, records: records("PTR", "ptrdname") }],
    [`azurerm_${zone}_mx_record`, { ...TTL, record: "MXRecords | mxRecords" }],
    [`azurerm_${zone}_srv_record`, { ...TTL, record: "SRVRecords | srvRecords" }],
    [`azurerm_${zone}_txt_record`, { ...TTL, record: row("TXTRecords | txtRecords", texts) }],
  ]),
);

/** Types of Azure's networks; see `AZURE`. */
export const AZURE_NETWORK: MappingTable = {
  ...DNS_RECORDS,
  azurerm_dns_caa_record: { ...TTL, record: "caaRecords | CAARecords" },
  azurerm_dns_ns_record: { ...TTL, records: records("NS", "nsdname") },
  azurerm_network_security_group: { security_rule: row("securityRules", networkSecurityRules) },
  azurerm_network_security_rule: {
    ...words(same(RULE)),
    ...same(`description ${RULE_LISTS}`),
    source_application_security_group_ids: "sourceApplicationSecurityGroups[].id",
    destination_application_security_group_ids: "destinationApplicationSecurityGroups[].id",
  },
  azurerm_virtual_network: {
    address_space: "addressSpace.addressPrefixes",
    dns_servers: unlessPart("azurerm_virtual_network_dns_servers", row(DNS_SERVERS)),
    subnet: row("subnets", subnets),
    flow_timeout_in_minutes: "flowTimeoutInMinutes",
    "ddos_protection_plan.enable": "enableDdosProtection",
    "ddos_protection_plan.id": "ddosProtectionPlan.id",
    "encryption.enforcement": row("encryption.enforcement", anyCase),
  },
  azurerm_virtual_network_dns_servers: { dns_servers: DNS_SERVERS },
  azurerm_virtual_network_peering: {
    ...same("allow_virtual_network_access allow_forwarded_traffic allow_gateway_transit use_remote_gateways"),
    remote_virtual_network_id: "remoteVirtualNetwork.id",
  },
  azurerm_subnet: {
    address_prefixes: row("addressPrefixes | addressPrefix", prefixes),
    service_endpoints: "serviceEndpoints[].service",
    private_endpoint_network_policies: row("privateEndpointNetworkPolicies", anyCase),
    private_endpoint_network_policies_enabled: row("privateEndpointNetworkPolicies", isWord("Enabled")),
    enforce_private_link_endpoint_network_policies: row("privateEndpointNetworkPolicies", isWord("Disabled")),
    private_link_service_network_policies_enabled: row("privateLinkServiceNetworkPolicies", switched),
    enforce_private_link_service_network_policies: row(
      "privateLinkServiceNetworkPolicies",
      isWord("Disabled"),
    ),
    default_outbound_access_enabled: "defaultOutboundAccess",
  },
  azurerm_subnet_network_security_group_association: associated(
    "network_security_group_id",
    "networkSecurityGroup",
  ),
  azurerm_subnet_route_table_association: associated("route_table_id", "routeTable"),
  azurerm_subnet_nat_gateway_association: associated("nat_gateway_id", "natGateway"),
  azurerm_network_interface_security_group_association: associated(
    "network_security_group_id",
    "networkSecurityGroup",
  ),
  azurerm_public_ip: {
    ...words({
      allocation_method: "publicIPAllocationMethod",
      ip_version: "publicIPAddressVersion",
      sku: "/sku.name",
      sku_tier: "/sku.tier",
      ddos_protection_mode: "ddosSettings.protectionMode",
    }),
    idle_timeout_in_minutes: "idleTimeoutInMinutes",
    domain_name_label: always("dnsSettings.domainNameLabel", ""),
  },
  azurerm_network_interface: {
    dns_servers: "dnsSettings.dnsServers",
    enable_ip_forwarding: "enableIPForwarding",
    ip_forwarding_enabled: "enableIPForwarding",
    enable_accelerated_networking: "enableAcceleratedNetworking",
    accelerated_networking_enabled: "enableAcceleratedNetworking",
    ip_configuration: row("ipConfigurations", ipConfigurations),
  },
  azurerm_route: {
    address_prefix: "addressPrefix",
    next_hop_type: row("nextHopType", anyCase),
    next_hop_in_ip_address: "nextHopIpAddress",
  },
  azurerm_route_table: {
    route: row("routes", routes),
    disable_bgp_route_propagation: "disableBgpRoutePropagation",
    bgp_route_propagation_enabled: row("disableBgpRoutePropagation", opposite),
  },
  azurerm_nat_gateway: { ...SKU_NAME, idle_timeout_in_minutes: "idleTimeoutInMinutes" },
  azurerm_private_endpoint: { subnet_id: row("subnet.id", anyCase) },
  azurerm_private_dns_zone_virtual_network_link: {
    registration_enabled: "registrationEnabled",
    virtual_network_id: row("virtualNetwork.id", anyCase),
  },
  azurerm_virtual_network_gateway: {
    ...words({ type: "gatewayType", vpn_type: "vpnType", sku: "sku.name" }),
    active_active: "activeActive",
    enable_bgp: "enableBgp",
    bgp_enabled: "enableBgp",
    remote_vnet_traffic_enabled: "allowRemoteVnetTraffic",
  },
  azurerm_local_network_gateway: {
    gateway_address: "gatewayIpAddress",
    address_space: "localNetworkAddressSpace.addressPrefixes",
  },
  azurerm_bastion_host: {
    ...words({ sku: "/sku.name" }),
    scale_units: "scaleUnits",
    copy_paste_enabled: row("disableCopyPaste", opposite),
    file_copy_enabled: "enableFileCopy",
    ip_connect_enabled: "enableIpConnect",
    shareable_link_enabled: "enableShareableLink",
    tunneling_enabled: "enableTunneling",
  },
  azurerm_lb: {
    ...words({ sku: "/sku.name", sku_tier: "/sku.tier" }),
    frontend_ip_configuration: row("frontendIPConfigurations", ipConfigurations),
  },
  azurerm_lb_rule: {
    ...FLOWS,
    ...same("frontend_port backend_port disable_outbound_snat"),
    load_distribution: row("loadDistribution", anyCase),
  },
  azurerm_lb_nat_rule: { ...FLOWS, ...same("frontend_port backend_port") },
  azurerm_lb_outbound_rule: { ...FLOWS, allocated_outbound_ports: "allocatedOutboundPorts" },
  azurerm_application_gateway: {
    ...words({
      "sku.name": "sku.name",
      "sku.tier": "sku.tier",
      "waf_configuration.firewall_mode": "webApplicationFirewallConfiguration.firewallMode",
      "ssl_policy.policy_name": "sslPolicy.policyName",
      "ssl_policy.min_protocol_version": "sslPolicy.minProtocolVersion",
    }),
    ...associated("firewall_policy_id", "firewallPolicy"),
    "sku.capacity": "sku.capacity",
    "autoscale_configuration.min_capacity": "autoscaleConfiguration.minCapacity",
    "autoscale_configuration.max_capacity": "autoscaleConfiguration.maxCapacity",
    "waf_configuration.enabled": always("webApplicationFirewallConfiguration.enabled", false),
    "waf_configuration.rule_set_version": "webApplicationFirewallConfiguration.ruleSetVersion",
    enable_http2: "enableHttp2",
    http2_enabled: "enableHttp2",
  },
  azurerm_web_application_firewall_policy: {
    "policy_settings.enabled": row("policySettings.state", switched),
    "policy_settings.mode": row("policySettings.mode", anyCase),
    "policy_settings.request_body_check": "policySettings.requestBodyCheck",
  },
  azurerm_cdn_frontdoor_firewall_policy: {
    ...SKU_NAME,
    enabled: row("policySettings.enabledState", switched),
    mode: row("policySettings.mode", anyCase),
  },
  azurerm_cdn_frontdoor_profile: {
    ...SKU_NAME,
    response_timeout_seconds: "originResponseTimeoutSeconds",
  },
  azurerm_cdn_frontdoor_endpoint: { enabled: row("enabledState", switched) },
  azurerm_firewall: {
    ...words({ sku_tier: "sku.tier", threat_intel_mode: "threatIntelMode" }),
    ...associated("firewall_policy_id", "firewallPolicy"),
  },
  azurerm_firewall_policy: {
    ...words({
      sku: "sku.tier",
      threat_intelligence_mode: "threatIntelMode",
      "intrusion_detection.mode": "intrusionDetection.mode",
    }),
    "insights.enabled": "insights.isEnabled",
    "threat_intelligence_allowlist.ip_addresses": "threatIntelWhitelist.ipAddresses",
    "threat_intelligence_allowlist.fqdns": "threatIntelWhitelist.fqdns",
  },
  azurerm_network_watcher_flow_log: {
    enabled: "enabled",
    storage_account_id: row("storageId", anyCase),
    "retention_policy.enabled": "retentionPolicy.enabled",
    "retention_policy.days": "retentionPolicy.days",
    "traffic_analytics.enabled":
      "flowAnalyticsConfiguration.networkWatcherFlowAnalyticsConfiguration.enabled",
  },
};
