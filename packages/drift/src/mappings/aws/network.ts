import type { Json } from "@leeway/shared/values/json";

import { mirroredMember } from "../../live-path.ts";
import type { MappingTable, Shape, ShapeWithin } from "../../mapping.ts";
import { mirrored } from "../../mirrored.ts";
import { aclRules, protocol, routes } from "../../network-tables.ts";
import { references, row, same, sole, unlessGone } from "../../shapes.ts";

const NETWORK = same("cidr_block instance_tenancy enable_dns_hostnames enable_dns_support");
const SUBNET = same(
  "cidr_block vpc_id availability_zone map_public_ip_on_launch assign_ipv6_address_on_creation enable_dns64",
);
const ROUTE_TABLE = { route: row("Routes", routes) };
const ACL = {
  ingress: row("Entries", aclRules("ingress")),
  egress: row("Entries", aclRules("egress")),
};
const ACL_RULE = {
  rule_action: "RuleAction",
  protocol: row("Protocol", protocol),
  cidr_block: unlessGone(row("CidrBlock"), "RuleNumber"),
  ipv6_cidr_block: unlessGone(row("Ipv6CidrBlock"), "RuleNumber"),
  from_port: "PortRange.From",
  to_port: "PortRange.To",
  icmp_type: "IcmpTypeCode.Type | Icmp.Type",
  icmp_code: "IcmpTypeCode.Code | Icmp.Code",
};

/** Compares a gateway's network. A gateway declared without one may be attached by a separate resource. */
const attachedTo: Shape = (live, declared) => {
  if (!declared) return undefined;
  return Array.isArray(live) && live.length === 0 ? "" : sole(mirrored)(live, declared);
};

/** Compares log destinations. A log group's ARN may end with `:*` for all of its streams. */
const logDestination: Shape = (live, declared) => {
  const [found, known] = [live, declared].map((arn) =>
    typeof arn === "string" ? arn.replace(/:\*$/, "") : arn,
  );
  return found === known ? declared : mirrored(live, declared);
};

const cidrOf = (entry: Json): Json | undefined => mirroredMember(entry, "cidr");

/** Compares a list of networks, except those declared as separate resources. */
const prefixes: ShapeWithin = (live, declared, { parts }) => {
  if (!Array.isArray(live)) return undefined;
  const own = new Set([declared].flat().map(cidrOf));
  const theirs = new Set(parts.map(({ attributes }) => cidrOf(attributes))).difference(own);
  return mirrored(
    live.filter((entry) => !theirs.has(cidrOf(entry))),
    declared,
  );
};

/** AWS types that build, connect and protect networks; see `AWS`. */
export const AWS_NETWORK: MappingTable = {
  aws_vpc: NETWORK,
  aws_default_vpc: NETWORK,
  aws_subnet: SUBNET,
  aws_default_subnet: SUBNET,
  aws_network_interface: {
    ...same("subnet_id source_dest_check"),
    security_groups: row("Groups[].GroupId | GroupSet", references),
  },
  aws_route: {
    // Cloud Control reports every gateway as an endpoint.
    vpc_endpoint_id: row("VpcEndpointId", (live, declared) =>
      typeof live === "string" && live.startsWith("vpce-") ? mirrored(live, declared) : "",
    ),
    ...Object.fromEntries(
      `nat_gateway_id transit_gateway_id vpc_peering_connection_id network_interface_id carrier_gateway_id
      local_gateway_id core_network_arn`
        .split(/\s+/)
        .map((name) => [name, unlessGone(row(name), "Origin")]),
    ),
    // EC2 also reports an endpoint as a gateway.
    gateway_id: row("GatewayId", (live, declared, whole) =>
      live === whole.declared["vpc_endpoint_id"] ? declared : mirrored(live, declared),
    ),
  },
  aws_route_table: ROUTE_TABLE,
  aws_default_route_table: ROUTE_TABLE,
  aws_network_acl_rule: ACL_RULE,
  aws_network_acl: ACL,
  aws_default_network_acl: ACL,
  aws_ec2_transit_gateway: same(
    "auto_accept_shared_attachments default_route_table_association default_route_table_propagation",
  ),
  aws_nat_gateway: same("subnet_id connectivity_type"),
  aws_internet_gateway: { vpc_id: row("Attachments[].VpcId", attachedTo) },
  aws_egress_only_internet_gateway: same("vpc_id"),
  aws_eip: same("domain public_ipv4_pool"),
  aws_flow_log: {
    ...same("traffic_type log_destination_type max_aggregation_interval"),
    log_destination: row("LogDestination", logDestination),
    iam_role_arn: "DeliverLogsPermissionArn",
  },
  aws_vpc_peering_connection: same("vpc_id peer_vpc_id"),
  aws_vpc_endpoint_service: {
    ...same("acceptance_required"),
    network_load_balancer_arns: row("NetworkLoadBalancerArns", references),
    gateway_load_balancer_arns: row("GatewayLoadBalancerArns", references),
  },
  aws_ec2_managed_prefix_list: { max_entries: "MaxEntries", entry: row("Entries", prefixes) },
  aws_ec2_transit_gateway_vpc_attachment: {
    ...same("transit_gateway_id vpc_id"),
    subnet_ids: row("SubnetIds", references),
    dns_support: "Options.DnsSupport",
    ipv6_support: "Options.Ipv6Support",
    appliance_mode_support: "Options.ApplianceModeSupport",
  },
  aws_networkfirewall_firewall_policy: {
    ...same("description"),
    "firewall_policy.stateless_default_actions": row("FirewallPolicy.StatelessDefaultActions", references),
    "firewall_policy.stateless_fragment_default_actions": row(
      "FirewallPolicy.StatelessFragmentDefaultActions",
      references,
    ),
  },
  aws_globalaccelerator_accelerator: same("name enabled ip_address_type"),
  aws_route53_health_check: {
    fqdn: "HealthCheckConfig.FullyQualifiedDomainName",
    ip_address: "HealthCheckConfig.IPAddress",
    invert_healthcheck: "HealthCheckConfig.Inverted",
    enable_sni: "HealthCheckConfig.EnableSNI",
    child_health_threshold: "HealthCheckConfig.HealthThreshold",
    child_healthchecks: row("HealthCheckConfig.ChildHealthChecks", references),
    ...same(
      `port type resource_path search_string failure_threshold request_interval measure_latency
      insufficient_data_health_status`,
      "HealthCheckConfig.",
    ),
  },
  aws_route53_resolver_endpoint: {
    ...same("name direction"),
    security_group_ids: row("SecurityGroupIds", references),
  },
  aws_route53_resolver_rule: same("name rule_type resolver_endpoint_id"),
};
