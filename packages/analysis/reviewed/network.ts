import {
  ANYWHERE,
  appGroup,
  block,
  groupRule,
  ingressRule,
  loadBalancerGroup,
} from "./estate/aws-network.ts";
import { created, planOf, type ReviewedPlan, updated } from "./plan.ts";

const WEB = block(443, ANYWHERE);

const networkAclRule = {
  id: "nacl-1823940561",
  network_acl_id: "acl-09c8d7e6f5a4b3210",
  rule_number: 110,
  egress: false,
  protocol: "6",
  rule_action: "allow",
  cidr_block: "0.0.0.0/0",
  ipv6_cidr_block: null,
  icmp_code: null,
  icmp_type: null,
};
const prefixListEntry = {
  id: "pl-0a1b2c3d4e5f67891,0.0.0.0/0",
  prefix_list_id: "pl-0a1b2c3d4e5f67891",
  description: "",
};

/** AWS: rules that open something to the internet. */
export const NETWORK: readonly ReviewedPlan[] = [
  {
    name: "SSH from anywhere in an inline rule",
    level: "critical",
    why: "Port 22 of the shop's servers would be open to the whole internet.",
    plan: planOf(
      updated("aws_security_group.app", appGroup, {
        ingress: [block(8443, ["10.20.0.0/16"]), block(22, ANYWHERE, { description: "temporary" })],
      }),
    ),
  },
  {
    name: "PostgreSQL from anywhere in a separate rule",
    level: "critical",
    why: "The database's port would be open to the whole internet.",
    plan: planOf(created("aws_vpc_security_group_ingress_rule.postgres", ingressRule(5432, "0.0.0.0/0"))),
  },
  {
    name: "RDP from anywhere over IPv6",
    level: "critical",
    why: "::/0 is everyone with IPv6, and 3389 is an administration port.",
    plan: planOf(
      created("aws_security_group_rule.rdp", groupRule(3389, ["::/0"], { description: "jump host" })),
    ),
  },
  {
    name: "SSH from both halves of the internet",
    level: "critical",
    why: "0.0.0.0/1 and 128.0.0.0/1 together are the whole internet.",
    plan: planOf(created("aws_security_group_rule.ssh", groupRule(22, ["0.0.0.0/1", "128.0.0.0/1"]))),
  },
  {
    name: "MySQL from both halves of the internet, in two rules",
    level: "critical",
    why: "Two rules of half the internet each open MySQL to all of it.",
    plan: planOf(
      created("aws_vpc_security_group_ingress_rule.low", ingressRule(3306, "0.0.0.0/1")),
      created("aws_vpc_security_group_ingress_rule.high", ingressRule(3306, "128.0.0.0/1")),
    ),
  },
  {
    name: "all protocols from anywhere",
    level: "critical",
    why: "Every port of these servers, SSH included, would be open to the internet.",
    plan: planOf(
      created(
        "aws_security_group_rule.debug",
        groupRule(0, ANYWHERE, { protocol: "-1", description: "debug-open-all" }),
      ),
    ),
  },
  {
    name: "all TCP ports from anywhere",
    level: "critical",
    why: "0 to 65535 includes every administration and database port.",
    plan: planOf(created("aws_vpc_security_group_ingress_rule.all", ingressRule([0, 65535], "0.0.0.0/0"))),
  },
  {
    name: "a port range that includes MySQL, from anywhere",
    level: "critical",
    why: "The range 3300 to 3310 opens MySQL to the internet.",
    plan: planOf(created("aws_security_group_rule.range", groupRule([3300, 3310], ANYWHERE))),
  },
  {
    name: "an application port from anywhere",
    level: "high",
    why: "Port 8080 of the servers would bypass the load balancer and its firewall.",
    plan: planOf(created("aws_vpc_security_group_ingress_rule.app", ingressRule(8080, "0.0.0.0/0"))),
  },
  {
    name: "0.0.0.0/0 in a shared prefix list",
    level: "high",
    why: "Every rule that uses this list would admit the whole internet.",
    plan: planOf(created("aws_ec2_managed_prefix_list_entry.all", { ...prefixListEntry, cidr: "0.0.0.0/0" })),
  },
  {
    name: "SSH from anywhere in a network ACL",
    level: "high",
    why: "Nothing in these subnets needs SSH from the internet; the security groups are then all that is left.",
    plan: planOf(created("aws_network_acl_rule.ssh", { ...networkAclRule, from_port: 22, to_port: 22 })),
  },
  {
    name: "HTTPS from anywhere in a network ACL",
    level: "medium",
    why: "Normal for a public subnet.",
    plan: planOf(created("aws_network_acl_rule.https", { ...networkAclRule, from_port: 443, to_port: 443 })),
  },
  {
    name: "HTTPS from anywhere on the load balancer's group",
    level: "medium",
    why: "A public shop needs 443.",
    plan: planOf(updated("aws_security_group.lb", loadBalancerGroup, { ingress: [WEB] })),
  },
  {
    name: "HTTP and HTTPS from anywhere over IPv6",
    level: "medium",
    why: "Adds IPv6 to a public load balancer.",
    plan: planOf(
      created("aws_security_group_rule.http6", groupRule(80, ["::/0"])),
      created("aws_security_group_rule.https6", groupRule(443, ["::/0"])),
    ),
  },
];
