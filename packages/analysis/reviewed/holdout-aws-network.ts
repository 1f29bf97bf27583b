import { ACCOUNT, tagged } from "./estate/aws-network.ts";
import { scalingGroup } from "./estate/aws-serving.ts";
import {
  attachment,
  domains,
  endpointPolicy,
  firewallPolicy,
  networkFirewall,
  prefixList,
  secretsEndpoint,
  service,
  transit,
} from "./holdout-estate/aws-network.ts";
import { changedBlock, created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

/** AWS: transit, peering, endpoints and firewalls. */
export const HOLDOUT_AWS_NETWORK: readonly ReviewedPlan[] = [
  {
    name: "a transit gateway gets a default route",
    level: "medium",
    why: "Traffic of attached networks takes another path.",
    plan: planOf(
      created("aws_ec2_transit_gateway_route.egress", {
        destination_cidr_block: "0.0.0.0/0",
        blackhole: false,
        transit_gateway_attachment_id: "tgw-attach-0f1e2d3c4b5a69788",
        transit_gateway_route_table_id: "tgw-rtb-0a9b8c7d6e5f41230",
      }),
    ),
  },
  {
    name: "a VPC is detached from the transit gateway",
    level: "high",
    why: "The VPC loses its connection to every other network.",
    plan: planOf(destroyed("aws_ec2_transit_gateway_vpc_attachment.production", attachment)),
  },
  {
    name: "a transit gateway accepts attachments by itself",
    level: "medium",
    why: "Accounts it is shared with connect without approval.",
    plan: planOf(
      updated("aws_ec2_transit_gateway.core", transit, { auto_accept_shared_attachments: "enable" }),
    ),
  },
  {
    name: "a peering connection is accepted",
    level: "medium",
    why: "The VPC is connected to another account's network.",
    plan: planOf(
      created("aws_vpc_peering_connection_accepter.partner", {
        vpc_peering_connection_id: "pcx-0e1f2a3b4c5d67890",
        auto_accept: true,
        peer_owner_id: "715520063413",
        ...tagged("partner"),
      }),
    ),
  },
  {
    name: "the endpoint of Secrets Manager is removed",
    level: "high",
    why: "Servers without internet access can no longer read secrets.",
    plan: planOf(destroyed("aws_vpc_endpoint.secretsmanager", secretsEndpoint)),
  },
  {
    name: "an endpoint's policy is narrowed to the account",
    level: "medium",
    why: "Calls that worked before may be denied.",
    plan: planOf(
      updated("aws_vpc_endpoint.secretsmanager", secretsEndpoint, {
        policy: endpointPolicy({ StringEquals: { "aws:PrincipalAccount": ACCOUNT } }),
      }),
    ),
  },
  {
    name: "a new gateway endpoint for S3",
    level: "low",
    why: "Traffic to S3 stays inside AWS; bucket policies don't change.",
    plan: planOf(
      created("aws_vpc_endpoint.s3", {
        vpc_id: "vpc-0f3d6a1b9c8e74521",
        service_name: "com.amazonaws.eu-central-1.s3",
        vpc_endpoint_type: "Gateway",
        route_table_ids: ["rtb-0d5e7f1a2b3c48690"],
        ...tagged("s3"),
      }),
    ),
  },
  {
    name: "anyone may connect to an endpoint service",
    level: "high",
    why: "Every AWS account may connect to the internal load balancer, without approval.",
    plan: planOf(
      updated("aws_vpc_endpoint_service.prices", service, {
        acceptance_required: false,
        allowed_principals: ["*"],
      }),
    ),
  },
  {
    name: "a second partner may request a connection",
    level: "medium",
    why: "Another account may ask; someone still accepts it.",
    plan: planOf(
      updated("aws_vpc_endpoint_service.prices", service, {
        allowed_principals: ["arn:aws:iam::715520063413:root", "arn:aws:iam::640183927755:root"],
      }),
    ),
  },
  {
    name: "a prefix list contains every address",
    level: "high",
    why: "Every rule that names the list is open to the internet.",
    plan: planOf(
      updated(
        "aws_ec2_managed_prefix_list.offices",
        prefixList("203.0.113.48/29"),
        prefixList("203.0.113.48/29", "0.0.0.0/0"),
      ),
    ),
  },
  {
    name: "a prefix list gets another office",
    level: "medium",
    why: "Every rule that names the list admits the new office.",
    plan: planOf(
      updated(
        "aws_ec2_managed_prefix_list.offices",
        prefixList("203.0.113.48/29"),
        prefixList("203.0.113.48/29", "203.0.113.64/29"),
      ),
    ),
  },
  {
    name: "a network firewall passes everything",
    level: "high",
    why: "Packets no longer reach the rules that filter outgoing traffic.",
    plan: planOf(
      updated(
        "aws_networkfirewall_firewall_policy.egress",
        firewallPolicy,
        changedBlock(firewallPolicy, "firewall_policy", { stateless_default_actions: ["aws:pass"] }),
      ),
    ),
  },
  {
    name: "a network firewall allows another domain",
    level: "medium",
    why: "A firewall rule about where servers may connect.",
    plan: planOf(
      updated(
        "aws_networkfirewall_rule_group.domains",
        domains(".lumen-shop.example"),
        domains(".lumen-shop.example", "api.payments.example"),
      ),
    ),
  },
  {
    name: "a network firewall loses its delete protection",
    level: "high",
    why: "The next plan may delete the firewall.",
    plan: planOf(
      updated("aws_networkfirewall_firewall.egress", networkFirewall, { delete_protection: false }),
    ),
  },
  {
    name: "a resource share admits accounts outside the organization",
    level: "medium",
    why: "Nobody joins yet, but sharing with strangers becomes possible.",
    plan: planOf(
      updated(
        "aws_ram_resource_share.core",
        {
          id: `arn:aws:ram:eu-central-1:${ACCOUNT}:resource-share/0f1e2d3c`,
          arn: `arn:aws:ram:eu-central-1:${ACCOUNT}:resource-share/0f1e2d3c`,
          name: "core",
          allow_external_principals: false,
          permission_arns: ["arn:aws:ram::aws:permission/AWSRAMDefaultPermissionTransitGateway"],
          ...tagged("core"),
        },
        { allow_external_principals: true },
      ),
    ),
  },
  {
    name: "every VPN user may reach the production network",
    level: "medium",
    why: "A network rule for all groups; a person should confirm it.",
    plan: planOf(
      created("aws_ec2_client_vpn_authorization_rule.production", {
        client_vpn_endpoint_id: "cvpn-endpoint-0a1b2c3d4e5f67890",
        target_network_cidr: "10.20.0.0/16",
        authorize_all_groups: true,
        access_group_id: "",
        description: "",
      }),
    ),
  },
  {
    name: "a security group is attached to an interface",
    level: "medium",
    why: "Every change of security groups is read.",
    plan: planOf(
      created("aws_network_interface_sg_attachment.appliance", {
        network_interface_id: "eni-0a1b2c3d4e5f60718",
        security_group_id: "sg-0a7c2e19d4b8f6035",
      }),
    ),
  },
  {
    name: "a VPC gets a second range of addresses",
    level: "low",
    why: "New, unused addresses.",
    plan: planOf(
      created("aws_vpc_ipv4_cidr_block_association.pods", {
        vpc_id: "vpc-0f3d6a1b9c8e74521",
        cidr_block: "100.64.0.0/16",
        ipv4_ipam_pool_id: null,
        ipv4_netmask_length: null,
      }),
    ),
  },
  {
    name: "servers are scaled to zero every night",
    level: "medium",
    why: "A schedule stops the shop from 22:00; someone should confirm it.",
    plan: planOf(
      created("aws_autoscaling_schedule.night", {
        autoscaling_group_name: scalingGroup["name"] ?? null,
        scheduled_action_name: "night",
        desired_capacity: 0,
        min_size: 0,
        max_size: 0,
        recurrence: "0 22 * * *",
        time_zone: "Europe/Berlin",
      }),
    ),
  },
];
