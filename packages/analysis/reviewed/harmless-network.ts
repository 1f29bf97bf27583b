import { certificate, cluster, distribution, dnsRecord } from "./estate/aws-edge.ts";
import { trail } from "./estate/aws-identity.ts";
import {
  elasticIp,
  internetGateway,
  natGateway,
  privateSubnet,
  publicSubnet,
  routeTable,
  vpc,
} from "./estate/aws-network.ts";
import {
  checkoutService,
  httpsListener,
  loadBalancer,
  targetGroup,
  taskDefinition,
} from "./estate/aws-serving.ts";
import { logGroup, repository } from "./estate/aws-stores.ts";
import { created, planOf, type ReviewedPlan } from "./plan.ts";

const inSubnet = (id: string) => ({
  id: "rtbassoc-0a1b2c3d4e5f67891",
  route_table_id: "rtb-0d5e7f1a2b3c48690",
  subnet_id: id,
});
const redirect = {
  ...httpsListener,
  port: 80,
  protocol: "HTTP",
  ssl_policy: "",
  certificate_arn: null,
  default_action: [
    { type: "redirect", redirect: [{ port: "443", protocol: "HTTPS", status_code: "HTTP_301" }] },
  ],
};

/** AWS: new networks, load balancers and services. */
export const HARMLESS_NETWORK: readonly ReviewedPlan[] = [
  {
    name: "a new private subnet",
    level: "low",
    why: "Outbound traffic goes through the NAT gateway; nothing comes in.",
    plan: planOf(
      created("aws_subnet.private_b", privateSubnet),
      created(
        "aws_route_table.private_b",
        routeTable("production-private-b", [
          { cidr_block: "0.0.0.0/0", nat_gateway_id: "nat-0e6f2a8c1d9b37450" },
        ]),
      ),
      created("aws_route_table_association.private_b", inSubnet("subnet-0a94b1c7e6d25f381")),
    ),
  },
  {
    name: "a new VPC with public subnets",
    level: "low",
    why: "Public subnets route to the internet gateway by definition.",
    plan: planOf(
      created("aws_vpc.staging", vpc),
      created("aws_internet_gateway.staging", internetGateway),
      created("aws_subnet.public", publicSubnet),
      created(
        "aws_route_table.public",
        routeTable("staging-public", [{ cidr_block: "0.0.0.0/0", gateway_id: "igw-07b2c4d9e1f83a605" }]),
      ),
      created("aws_route_table_association.public", inSubnet("subnet-03c7d88e1b2a49f60")),
    ),
  },
  {
    name: "a route to the internet gateway in a new table",
    level: "low",
    why: "A new public route table; no private one changes.",
    plan: planOf(
      created("aws_route_table.public", routeTable("production-public", [])),
      created("aws_route.internet", {
        id: "r-rtb-0d5e7f1a2b3c486901080289494",
        route_table_id: "rtb-0d5e7f1a2b3c48690",
        destination_cidr_block: "0.0.0.0/0",
        destination_ipv6_cidr_block: "",
        gateway_id: "igw-07b2c4d9e1f83a605",
        state: "active",
      }),
    ),
  },
  {
    name: "a new NAT gateway",
    level: "low",
    why: "Outbound access for private subnets; it costs money.",
    plan: planOf(
      created("aws_eip.nat", elasticIp),
      created("aws_nat_gateway.b", natGateway, ["allocation_id"]),
    ),
  },
  {
    name: "a new public load balancer",
    level: "low",
    why: "Meant to be public; TLS 1.2 or newer, and HTTP redirects.",
    plan: planOf(
      created("aws_lb.shop", loadBalancer),
      created("aws_lb_target_group.shop", targetGroup),
      created("aws_lb_listener.https", httpsListener, ["load_balancer_arn"]),
      created("aws_lb_listener.http", redirect, ["load_balancer_arn"]),
    ),
  },
  {
    name: "a new service behind the load balancer",
    level: "low",
    why: "In private subnets, with the existing security group.",
    plan: planOf(
      created("aws_ecs_task_definition.checkout", taskDefinition("checkout:3.4.1")),
      created("aws_ecs_service.checkout", checkoutService, ["task_definition"]),
      created("aws_cloudwatch_log_group.checkout", logGroup("/ecs/checkout")),
    ),
  },
  {
    name: "a new private Kubernetes cluster",
    level: "low",
    why: "No public endpoint; audit logs on.",
    plan: planOf(created("aws_eks_cluster.production", cluster)),
  },
  {
    name: "a new repository, certificate and record",
    level: "low",
    why: "Private images and a DNS-validated certificate.",
    plan: planOf(
      created("aws_ecr_repository.checkout", repository("checkout")),
      created("aws_acm_certificate.shop", certificate),
      created(
        "aws_route53_record.proof",
        dnsRecord("_x1.lumen-shop.example", "CNAME", ["_x2.acm-validations.aws."]),
      ),
    ),
  },
  {
    name: "a new distribution",
    level: "low",
    why: "Redirects to HTTPS; its bucket stays private.",
    plan: planOf(created("aws_cloudfront_distribution.shop", distribution)),
  },
  {
    name: "a new audit trail",
    level: "low",
    why: "Better visibility.",
    plan: planOf(created("aws_cloudtrail.account", trail)),
  },
];
