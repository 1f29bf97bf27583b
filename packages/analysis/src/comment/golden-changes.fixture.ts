import type { JsonObject } from "@leeway/shared/values/json";

import { CREATE, DELETE, resourceChange, UPDATE } from "../risk/change.fixture.ts";

interface Sides {
  before?: JsonObject;
  after?: JsonObject;
  change?: JsonObject;
}

/** Builds a change in Terraform's plan format. */
export function at(address: string, actions: readonly string[], sides: Sides): JsonObject {
  const [type = ""] = address.split(".");
  return resourceChange({ address, type, actions, ...sides });
}

export const created = (address: string, after: JsonObject): JsonObject => at(address, CREATE, { after });
export const deleted = (address: string, before: JsonObject): JsonObject => at(address, DELETE, { before });
export const updated = (address: string, before: JsonObject, after: JsonObject): JsonObject =>
  at(address, UPDATE, { before, after });

export const policy = (...statements: JsonObject[]): string =>
  JSON.stringify({
    Version: "2012-10-17",
    Statement: statements.map((one) => ({ Effect: "Allow", ...one })),
  });
export const rule = (from_port: number, to_port: number, ...cidr_blocks: string[]): JsonObject => ({
  from_port,
  to_port,
  protocol: from_port === 0 && to_port === 0 ? "-1" : "tcp",
  cidr_blocks,
  description: "",
});
export const ORDERS: JsonObject = {
  identifier: "orders",
  engine: "postgres",
  instance_class: "db.r6g.xlarge",
  allocated_storage: 200,
  deletion_protection: true,
  backup_retention_period: 14,
  publicly_accessible: false,
  skip_final_snapshot: true,
  storage_encrypted: true,
};

/** Ten changes that open the account to anyone. */
export const TEN_DANGERS: readonly JsonObject[] = [
  created("aws_iam_role_policy.ci", {
    name: "ci",
    role: "ci",
    policy: policy({ Action: "*", Resource: "*" }),
  }),
  created("aws_iam_role_policy_attachment.developers", {
    role: "developers",
    policy_arn: "arn:aws:iam::aws:policy/AdministratorAccess",
  }),
  created("aws_iam_role.partner", {
    name: "partner",
    assume_role_policy: policy({ Action: "sts:AssumeRole", Principal: { AWS: "*" } }),
  }),
  created("aws_s3_bucket_policy.invoices", {
    bucket: "customer-invoices",
    policy: policy({ Action: "s3:GetObject", Principal: "*", Resource: "arn:aws:s3:::customer-invoices/*" }),
  }),
  updated(
    "aws_security_group.web",
    { ingress: [rule(443, 443, "0.0.0.0/0")] },
    { ingress: [rule(443, 443, "0.0.0.0/0"), rule(0, 0, "0.0.0.0/0")] },
  ),
  created("aws_vpc_security_group_ingress_rule.bastion", {
    ip_protocol: "tcp",
    from_port: 22,
    to_port: 22,
    cidr_ipv4: "0.0.0.0/0",
  }),
  updated("aws_db_instance.orders", ORDERS, {
    ...ORDERS,
    publicly_accessible: true,
    deletion_protection: false,
    backup_retention_period: 0,
  }),
  deleted("aws_cloudtrail.main", { name: "main", enable_logging: true }),
  updated("aws_ecs_service.checkout", { desired_count: 6 }, { desired_count: 0 }),
  updated(
    "aws_lb_listener.https",
    { ssl_policy: "ELBSecurityPolicy-TLS13-1-2-2021-06" },
    { ssl_policy: "ELBSecurityPolicy-2016-08" },
  ),
];
