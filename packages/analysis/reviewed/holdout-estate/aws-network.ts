import type { JsonObject } from "@leeway/shared/values/json";

import { ACCOUNT, tagged } from "../estate/aws-network.ts";
import { policyDocument } from "../plan.ts";

const EC2 = `arn:aws:ec2:eu-central-1:${ACCOUNT}`;
const NETWORK_FIREWALL = `arn:aws:network-firewall:eu-central-1:${ACCOUNT}`;
export const transit: JsonObject = {
  id: "tgw-0a1b2c3d4e5f67890",
  arn: `${EC2}:transit-gateway/tgw-0a1b2c3d4e5f67890`,
  amazon_side_asn: 64512,
  auto_accept_shared_attachments: "disable",
  default_route_table_association: "disable",
  default_route_table_propagation: "disable",
  dns_support: "enable",
  vpn_ecmp_support: "enable",
  ...tagged("core"),
};
export const attachment: JsonObject = {
  id: "tgw-attach-0f1e2d3c4b5a69788",
  transit_gateway_id: "tgw-0a1b2c3d4e5f67890",
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  vpc_owner_id: ACCOUNT,
  subnet_ids: ["subnet-0a94b1c7e6d25f381"],
  appliance_mode_support: "disable",
  dns_support: "enable",
  transit_gateway_default_route_table_association: false,
  transit_gateway_default_route_table_propagation: false,
  ...tagged("production"),
};
/** The policy of an endpoint that anyone in the network may use, under a condition. */
export const endpointPolicy = (Condition?: JsonObject): string =>
  policyDocument({ Principal: "*", Action: "*", Resource: "*", ...(Condition && { Condition }) });
export const secretsEndpoint: JsonObject = {
  id: "vpce-0a9b8c7d6e5f41230",
  arn: `${EC2}:vpc-endpoint/vpce-0a9b8c7d6e5f41230`,
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  service_name: "com.amazonaws.eu-central-1.secretsmanager",
  vpc_endpoint_type: "Interface",
  private_dns_enabled: true,
  security_group_ids: ["sg-0e4f5a6b7c8d91230"],
  subnet_ids: ["subnet-0a94b1c7e6d25f381"],
  policy: endpointPolicy(),
  state: "available",
  ...tagged("secretsmanager"),
};
export const service: JsonObject = {
  id: "vpce-svc-0c1d2e3f4a5b67890",
  arn: `${EC2}:vpc-endpoint-service/vpce-svc-0c1d2e3f4a5b67890`,
  acceptance_required: true,
  allowed_principals: ["arn:aws:iam::715520063413:root"],
  gateway_load_balancer_arns: [],
  network_load_balancer_arns: [
    `arn:aws:elasticloadbalancing:eu-central-1:${ACCOUNT}:loadbalancer/net/prices/1a2b3c`,
  ],
  service_name: "com.amazonaws.vpce.eu-central-1.vpce-svc-0c1d2e3f4a5b67890",
  ...tagged("prices"),
};
export const prefixList = (...cidrs: string[]): JsonObject => ({
  id: "pl-0d1e2f3a4b5c67890",
  arn: `${EC2}:prefix-list/pl-0d1e2f3a4b5c67890`,
  name: "offices",
  address_family: "IPv4",
  max_entries: 10,
  entry: cidrs.map((cidr) => ({ cidr, description: "" })),
  version: 4,
  owner_id: ACCOUNT,
  ...tagged("offices"),
});
export const firewallPolicy: JsonObject = {
  id: `${NETWORK_FIREWALL}:firewall-policy/egress`,
  arn: `${NETWORK_FIREWALL}:firewall-policy/egress`,
  name: "egress",
  firewall_policy: [
    {
      stateless_default_actions: ["aws:forward_to_sfe"],
      stateless_fragment_default_actions: ["aws:forward_to_sfe"],
      stateful_default_actions: ["aws:drop_established"],
      stateful_engine_options: [{ rule_order: "STRICT_ORDER" }],
      stateful_rule_group_reference: [
        { priority: 1, resource_arn: `${NETWORK_FIREWALL}:stateful-rulegroup/domains` },
      ],
    },
  ],
  ...tagged("egress"),
};
export const domains = (...targets: string[]): JsonObject => ({
  id: `${NETWORK_FIREWALL}:stateful-rulegroup/domains`,
  arn: `${NETWORK_FIREWALL}:stateful-rulegroup/domains`,
  name: "domains",
  capacity: 100,
  type: "STATEFUL",
  rule_group: [
    {
      rules_source: [
        {
          rules_source_list: [
            { generated_rules_type: "ALLOWLIST", target_types: ["TLS_SNI", "HTTP_HOST"], targets },
          ],
        },
      ],
    },
  ],
  ...tagged("domains"),
});
export const networkFirewall: JsonObject = {
  id: `${NETWORK_FIREWALL}:firewall/egress`,
  arn: `${NETWORK_FIREWALL}:firewall/egress`,
  name: "egress",
  delete_protection: true,
  firewall_policy_arn: `${NETWORK_FIREWALL}:firewall-policy/egress`,
  firewall_policy_change_protection: false,
  subnet_change_protection: false,
  subnet_mapping: [{ subnet_id: "subnet-0b9e1c2d3f4a58671" }],
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  ...tagged("egress"),
};
