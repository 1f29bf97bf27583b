import type { JsonObject } from "@leeway/shared/values/json";

/** The account of the AWS resources here, all in eu-central-1. */
export const ACCOUNT = "492801736650";
const EC2 = `arn:aws:ec2:eu-central-1:${ACCOUNT}`;
export const ANYWHERE = ["0.0.0.0/0"];
export const OFFICE = ["203.0.113.48/29"];

/** Returns a resource's `tags` and `tags_all`. */
export function tagged(name: string, more: JsonObject = {}): JsonObject {
  const tags = { Name: name, ...more };
  return { tags, tags_all: { Environment: "production", ManagedBy: "terraform", ...tags } };
}

/** Builds an `ingress` or `egress` block of a security group. */
export function block(
  port: number | [number, number],
  cidrs: readonly string[],
  more: JsonObject = {},
): JsonObject {
  const [from_port, to_port] = typeof port === "number" ? [port, port] : port;
  return {
    cidr_blocks: cidrs.filter((cidr) => !cidr.includes(":")),
    ipv6_cidr_blocks: cidrs.filter((cidr) => cidr.includes(":")),
    description: "",
    from_port,
    to_port,
    protocol: "tcp",
    prefix_list_ids: [],
    security_groups: [],
    self: false,
    ...more,
  };
}

export const EGRESS_ALL = block(0, ANYWHERE, { protocol: "-1" });

export const vpc: JsonObject = {
  id: "vpc-0f3d6a1b9c8e74521",
  arn: `${EC2}:vpc/vpc-0f3d6a1b9c8e74521`,
  cidr_block: "10.20.0.0/16",
  enable_dns_hostnames: true,
  enable_dns_support: true,
  instance_tenancy: "default",
  main_route_table_id: "rtb-0b81f5d2c93a7e640",
  default_security_group_id: "sg-0c1d2e3f4a5b69788",
  owner_id: ACCOUNT,
  ...tagged("production"),
};

export const privateSubnet: JsonObject = {
  id: "subnet-0a94b1c7e6d25f381",
  arn: `${EC2}:subnet/subnet-0a94b1c7e6d25f381`,
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  cidr_block: "10.20.48.0/20",
  availability_zone: "eu-central-1b",
  map_public_ip_on_launch: false,
  assign_ipv6_address_on_creation: false,
  private_dns_hostname_type_on_launch: "ip-name",
  owner_id: ACCOUNT,
  ...tagged("production-private-b"),
};

export const publicSubnet: JsonObject = {
  ...privateSubnet,
  id: "subnet-03c7d88e1b2a49f60",
  arn: `${EC2}:subnet/subnet-03c7d88e1b2a49f60`,
  cidr_block: "10.20.4.0/24",
  map_public_ip_on_launch: true,
  ...tagged("production-public-b"),
};

export const internetGateway: JsonObject = {
  id: "igw-07b2c4d9e1f83a605",
  arn: `${EC2}:internet-gateway/igw-07b2c4d9e1f83a605`,
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  owner_id: ACCOUNT,
  ...tagged("production"),
};

export function routeTable(name: string, routes: JsonObject[]): JsonObject {
  const id = "rtb-0d5e7f1a2b3c48690";
  return {
    id,
    arn: `${EC2}:route-table/${id}`,
    vpc_id: "vpc-0f3d6a1b9c8e74521",
    propagating_vgws: [],
    owner_id: ACCOUNT,
    route: routes.map((route) => ({
      cidr_block: "",
      gateway_id: "",
      nat_gateway_id: "",
      transit_gateway_id: "",
      vpc_peering_connection_id: "",
      ...route,
    })),
    ...tagged(name),
  };
}

export const natGateway: JsonObject = {
  id: "nat-0e6f2a8c1d9b37450",
  allocation_id: "eipalloc-0b4c6d8e2f1a95730",
  connectivity_type: "public",
  subnet_id: "subnet-03c7d88e1b2a49f60",
  private_ip: "10.20.4.117",
  public_ip: "198.51.100.24",
  ...tagged("production-b"),
};

export const elasticIp: JsonObject = {
  id: "eipalloc-0b4c6d8e2f1a95730",
  arn: `${EC2}:elastic-ip/eipalloc-0b4c6d8e2f1a95730`,
  domain: "vpc",
  public_ip: "198.51.100.24",
  network_border_group: "eu-central-1",
  public_ipv4_pool: "amazon",
  ...tagged("production-nat-b"),
};

/** The security group of the shop's servers, reachable from the VPC only. */
export const appGroup: JsonObject = {
  id: "sg-0a7c2e19d4b8f6035",
  arn: `${EC2}:security-group/sg-0a7c2e19d4b8f6035`,
  name: "shop-app",
  name_prefix: "",
  description: "Servers of the shop",
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  ingress: [block(8443, ["10.20.0.0/16"], { description: "from the load balancer" })],
  egress: [EGRESS_ALL],
  owner_id: ACCOUNT,
  revoke_rules_on_delete: false,
  timeouts: null,
  ...tagged("shop-app"),
};

/** The security group of the public load balancer. */
export const loadBalancerGroup: JsonObject = {
  ...appGroup,
  id: "sg-05d8b3f7a1c9e2460",
  arn: `${EC2}:security-group/sg-05d8b3f7a1c9e2460`,
  name: "shop-lb",
  description: "Public load balancer of the shop",
  ingress: [],
  ...tagged("shop-lb"),
};

/** Builds an `aws_security_group_rule` on the shop's servers. */
export function groupRule(
  port: number | [number, number],
  cidrs: readonly string[],
  more: JsonObject = {},
): JsonObject {
  const { security_groups: _groups, ...rule } = block(port, cidrs);
  return {
    ...rule,
    id: "sgrule-2938471056",
    security_group_rule_id: "sgr-0c8d1e2f3a4b59607",
    security_group_id: "sg-0a7c2e19d4b8f6035",
    source_security_group_id: null,
    type: "ingress",
    timeouts: null,
    ...more,
  };
}

/** Builds an `aws_vpc_security_group_ingress_rule` on the shop's servers. */
export function ingressRule(
  port: number | [number, number],
  cidr: string,
  more: JsonObject = {},
): JsonObject {
  const [from_port, to_port] = typeof port === "number" ? [port, port] : port;
  return {
    id: "sgr-0f9e8d7c6b5a41320",
    arn: `${EC2}:security-group-rule/sgr-0f9e8d7c6b5a41320`,
    security_group_rule_id: "sgr-0f9e8d7c6b5a41320",
    security_group_id: "sg-0a7c2e19d4b8f6035",
    cidr_ipv4: cidr.includes(":") ? null : cidr,
    cidr_ipv6: cidr.includes(":") ? cidr : null,
    prefix_list_id: null,
    referenced_security_group_id: null,
    description: null,
    from_port,
    to_port,
    ip_protocol: "tcp",
    tags: null,
    tags_all: { Environment: "production" },
    ...more,
  };
}

export const flowLog: JsonObject = {
  id: "fl-0b6c7d8e9f1a23450",
  arn: `${EC2}:vpc-flow-log/fl-0b6c7d8e9f1a23450`,
  vpc_id: "vpc-0f3d6a1b9c8e74521",
  log_destination: `arn:aws:logs:eu-central-1:${ACCOUNT}:log-group:/vpc/production`,
  log_destination_type: "cloud-watch-logs",
  iam_role_arn: `arn:aws:iam::${ACCOUNT}:role/vpc-flow-logs`,
  max_aggregation_interval: 60,
  traffic_type: "ALL",
  ...tagged("production"),
};
