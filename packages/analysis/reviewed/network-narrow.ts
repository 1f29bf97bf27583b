import {
  ANYWHERE,
  appGroup,
  block,
  EGRESS_ALL,
  groupRule,
  ingressRule,
  loadBalancerGroup,
  OFFICE,
  routeTable,
} from "./estate/aws-network.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

const WEB = block(443, ANYWHERE);

/** AWS: changes of groups and routes that expose nothing dangerous. */
export const NETWORK_NARROW: readonly ReviewedPlan[] = [
  {
    name: "PostgreSQL from the private network",
    level: "medium",
    why: "Internal, but a whole /8 is more than the application needs.",
    plan: planOf(created("aws_vpc_security_group_ingress_rule.inside", ingressRule(5432, "10.0.0.0/8"))),
  },
  {
    name: "SSH from the office",
    level: "medium",
    why: "Eight of our own addresses; check and approve.",
    plan: planOf(created("aws_security_group_rule.office", groupRule(22, OFFICE))),
  },
  {
    name: "servers of a group can reach each other",
    level: "medium",
    why: "All ports, but only between members of the group.",
    plan: planOf(created("aws_security_group_rule.self", groupRule(0, [], { protocol: "-1", self: true }))),
  },
  {
    name: "egress to anywhere",
    level: "medium",
    why: "The default of every group; outbound only.",
    plan: planOf(
      created("aws_security_group_rule.out", groupRule(0, ANYWHERE, { protocol: "-1", type: "egress" })),
    ),
  },
  {
    name: "ping from anywhere",
    level: "medium",
    why: "ICMP echo opens no port.",
    plan: planOf(
      created(
        "aws_vpc_security_group_ingress_rule.ping",
        ingressRule([8, -1], "0.0.0.0/0", { ip_protocol: "icmp" }),
      ),
    ),
  },
  {
    name: "a new group for a public load balancer",
    level: "medium",
    why: "80 and 443 in, everything out: normal for a public load balancer.",
    plan: planOf(
      created("aws_security_group.lb", { ...loadBalancerGroup, ingress: [block(80, ANYWHERE), WEB] }),
    ),
  },
  {
    name: "SSH from anywhere is closed",
    level: "medium",
    why: "An improvement, but someone may rely on it.",
    plan: planOf(
      updated("aws_security_group.app", { ...appGroup, ingress: [block(22, ANYWHERE)] }, { ingress: [] }),
    ),
  },
  {
    name: "SSH is narrowed from anywhere to the office",
    level: "medium",
    why: "Narrows a rule that was open to the world.",
    plan: planOf(
      updated(
        "aws_security_group.app",
        { ...appGroup, ingress: [block(22, ANYWHERE)] },
        { ingress: [block(22, OFFICE)] },
      ),
    ),
  },
  {
    name: "an internal rule is added beside HTTPS from anywhere",
    level: "medium",
    why: "443 was already public; only 9090 from the private network is new.",
    plan: planOf(
      updated(
        "aws_security_group.lb",
        { ...loadBalancerGroup, ingress: [WEB] },
        { ingress: [WEB, block(9090, ["10.20.0.0/16"], { description: "metrics" })] },
      ),
    ),
  },
  {
    name: "a group's rule is deleted",
    level: "medium",
    why: "10.31.0.0/16 loses access; check that nothing there needs it.",
    plan: planOf(destroyed("aws_security_group_rule.old", groupRule(8443, ["10.31.0.0/16"]))),
  },
  {
    name: "private subnets get a route to the internet gateway",
    level: "medium",
    why: "Instances with a public address become reachable; check the security groups.",
    plan: planOf(
      updated(
        "aws_route_table.private",
        routeTable("production-private-b", [
          { cidr_block: "0.0.0.0/0", nat_gateway_id: "nat-0e6f2a8c1d9b37450" },
        ]),
        routeTable("production-private-b", [
          { cidr_block: "0.0.0.0/0", gateway_id: "igw-07b2c4d9e1f83a605" },
        ]),
      ),
    ),
  },
  {
    name: "a security group's tags",
    level: "none",
    why: "Tags only.",
    plan: planOf(
      updated("aws_security_group.app", appGroup, {
        tags: { Name: "shop-app", CostCenter: "4711" },
        tags_all: { Environment: "production", ManagedBy: "terraform", Name: "shop-app", CostCenter: "4711" },
      }),
    ),
  },
  {
    name: "egress narrowed to the VPC",
    level: "medium",
    why: "Safer, but it may break outbound calls.",
    plan: planOf(
      updated(
        "aws_security_group.app",
        { ...appGroup, egress: [EGRESS_ALL] },
        {
          egress: [block(0, ["10.20.0.0/16"], { protocol: "-1" })],
        },
      ),
    ),
  },
];
