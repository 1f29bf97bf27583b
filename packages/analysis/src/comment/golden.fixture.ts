import type { JsonObject } from "@leeway/shared/values/json";

import { DESTROY_FIRST } from "../risk/change.fixture.ts";
import {
  at,
  created,
  deleted,
  ORDERS,
  policy,
  rule,
  TEN_DANGERS,
  updated,
} from "./golden-changes.fixture.ts";

/** A plan with a checked-in comment, and the decision that the comment should let a reviewer make. */
export interface GoldenPlan {
  decides: string;
  plan: JsonObject;
}

const VPC: JsonObject = { cidr_block: "10.0.0.0/16" };
const queue = (name: string): JsonObject =>
  created(`aws_sqs_queue.${name}`, { name, sqs_managed_sse_enabled: true });

/** Plans by the name of their golden file. */
export const GOLDEN: Readonly<Record<string, GoldenPlan>> = {
  "01-replaced-database": {
    decides: "Block: renaming the database destroys its data. The tag changes can wait.",
    plan: {
      resource_changes: [
        at("aws_db_instance.orders", DESTROY_FIRST, {
          before: ORDERS,
          after: { ...ORDERS, identifier: "orders-v2" },
          change: { replace_paths: [["identifier"]] },
        }),
        updated("aws_lb.shop", { tags: { team: "shop" } }, { tags: { team: "checkout" } }),
      ],
    },
  },
  "02-open-port": {
    decides: "Block: the database port is open to everyone. Narrow the CIDR.",
    plan: {
      resource_changes: [
        created("aws_vpc_security_group_ingress_rule.orders", {
          ip_protocol: "tcp",
          from_port: 5432,
          to_port: 5432,
          cidr_ipv4: "0.0.0.0/0",
        }),
      ],
    },
  },
  "03-ten-dangers": {
    decides: "Block: anyone can take the account. Administrator rights and open ports are the first lines.",
    plan: { resource_changes: [...TEN_DANGERS] },
  },
  "04-rights": {
    decides: "Ask the author: who needs these roles? The holders and roles are named.",
    plan: {
      resource_changes: [
        created("google_project_iam_member.oncall", {
          project: "shop-prod",
          role: "roles/compute.osLogin",
          member: "group:oncall@example.com",
        }),
        updated(
          "aws_iam_policy.deploy",
          { name: "deploy", policy: policy({ Action: "s3:GetObject", Resource: "arn:aws:s3:::releases/*" }) },
          {
            name: "deploy",
            policy: policy({ Action: ["s3:GetObject", "s3:PutObject"], Resource: "arn:aws:s3:::releases/*" }),
          },
        ),
        deleted("azurerm_role_assignment.reader", {
          role_definition_name: "Reader",
          principal_id: "7d1ad6a5-5a8f-4d1e-9b44-1b7a0c2b6f11",
          scope: "/subscriptions/0b1f6471-1bf0-4dda-aec3-cb9272f09590",
        }),
      ],
    },
  },
  "05-many-creations": {
    decides: "Approve: only new, private resources. One security group deserves a look.",
    plan: {
      resource_changes: [
        ...["orders", "payments", "invoices", "mails", "exports", "imports"].map(queue),
        created("aws_security_group.workers", { name: "workers", ingress: [rule(443, 443, "10.0.0.0/8")] }),
        created("aws_cloudwatch_log_group.workers", { name: "/workers", retention_in_days: 30 }),
      ],
    },
  },
  "06-drift-put-back": {
    decides: "Approve, then ask who opened SSH by hand: this plan closes it again.",
    plan: {
      resource_changes: [
        updated(
          "aws_security_group.web",
          { ingress: [rule(443, 443, "10.0.0.0/8"), rule(22, 22, "0.0.0.0/0")] },
          { ingress: [rule(443, 443, "10.0.0.0/8")] },
        ),
        created("aws_ssm_parameter.endpoint", { name: "/shop/endpoint", type: "String" }),
      ],
      resource_drift: [
        updated(
          "aws_security_group.web",
          { ingress: [rule(443, 443, "10.0.0.0/8")] },
          { ingress: [rule(443, 443, "10.0.0.0/8"), rule(22, 22, "0.0.0.0/0")] },
        ),
        deleted("aws_ssm_parameter.endpoint", { name: "/shop/endpoint", type: "String" }),
      ],
    },
  },
  "07-lost-outside": {
    decides: "Stop: a database was deleted by hand. Restore it before this plan creates an empty one.",
    plan: {
      resource_changes: [created("aws_db_instance.orders", ORDERS)],
      resource_drift: [deleted("aws_db_instance.orders", ORDERS)],
    },
  },
  "08-noise": {
    decides: "Nothing to decide: the change is noise, and a command stops it.",
    plan: {
      resource_changes: [
        updated(
          "aws_s3_bucket_policy.assets",
          {
            policy:
              '{"Statement":[{"Effect":"Allow","Action":["s3:GetObject"],"Resource":"*","Principal":{"AWS":"arn:aws:iam::210987654321:root"}}],"Version":"2012-10-17"}',
          },
          {
            policy:
              '{"Version":"2012-10-17","Statement":[{"Action":"s3:GetObject","Effect":"Allow","Principal":{"AWS":"210987654321"},"Resource":"*"}]}',
          },
        ),
      ],
    },
  },
  "09-mass-destroy": {
    decides: "Block: most of the state goes. Probably the wrong workspace.",
    plan: {
      resource_changes: [
        ...Array.from({ length: 28 }, (_, index) =>
          deleted(`aws_route53_record.tenant[${index}]`, { name: `t${index}.example.com`, type: "A" }),
        ),
        updated("aws_route53_zone.main", { comment: "a" }, { comment: "b" }),
      ],
    },
  },
  "10-failed": {
    decides: "Nothing yet: the plan failed. Fix it first, and mind the deletion that it had found.",
    plan: {
      errored: true,
      resource_changes: [deleted("aws_kms_key.invoices", { description: "invoices", is_enabled: true })],
    },
  },
  "11-azure": {
    decides: "Block: SSH is open to any source, and the storage container is public.",
    plan: {
      resource_changes: [
        created("azurerm_network_security_rule.ssh", {
          name: "ssh",
          direction: "Inbound",
          access: "Allow",
          protocol: "Tcp",
          source_address_prefix: "*",
          destination_port_range: "22",
        }),
        created("azurerm_storage_container.exports", { name: "exports", container_access_type: "blob" }),
        updated(
          "azurerm_linux_web_app.shop",
          { site_config: [{ minimum_tls_version: "1.2" }] },
          { site_config: [{ minimum_tls_version: "1.0" }] },
        ),
        updated("azurerm_mssql_database.orders", { sku_name: "S3" }, { sku_name: "S0" }),
      ],
    },
  },
  "12-no-changes": {
    decides: "Nothing: the plan changes nothing.",
    plan: {
      resource_changes: [at("aws_vpc.main", ["no-op"], { before: VPC, after: VPC })],
    },
  },
};
