import { bucket, cartsTable, ordersDatabase, queue } from "./estate/aws-data.ts";
import { shopZone } from "./estate/aws-edge.ts";
import { ACCOUNT, tagged, vpc } from "./estate/aws-network.ts";
import { dataKey, importVolume, logGroup, parameter, repository, stripeSecret } from "./estate/aws-stores.ts";
import { destroyed, planOf, type ReviewedPlan } from "./plan.ts";

const snapshot = {
  id: "snap-0c1d2e3f4a5b69788",
  arn: `arn:aws:ec2:eu-central-1::snapshot/snap-0c1d2e3f4a5b69788`,
  volume_id: "vol-0c4d5e6f7a8b91230",
  encrypted: true,
  storage_tier: "standard",
  volume_size: 100,
  ...tagged("catalog-import-before-2026"),
};
const userPool = {
  id: "eu-central-1_aB3dEfG7h",
  arn: `arn:aws:cognito-idp:eu-central-1:${ACCOUNT}:userpool/eu-central-1_aB3dEfG7h`,
  name: "customers",
  deletion_protection: "INACTIVE",
  estimated_number_of_users: 48211,
  mfa_configuration: "OPTIONAL",
  ...tagged("customers"),
};

/** AWS: deletes data, keys and containers. */
export const DESTROY: readonly ReviewedPlan[] = [
  {
    name: "deletes a database without a final snapshot",
    level: "critical",
    why: "All orders would be lost, without a final snapshot.",
    plan: planOf(
      destroyed("aws_db_instance.orders", {
        ...ordersDatabase,
        deletion_protection: false,
        skip_final_snapshot: true,
      }),
    ),
  },
  {
    name: "deletes a table",
    level: "critical",
    why: "All carts would be lost.",
    plan: planOf(destroyed("aws_dynamodb_table.carts", cartsTable)),
  },
  {
    name: "deletes a bucket",
    level: "critical",
    why: "The plan can't prove that the bucket is empty.",
    plan: planOf(destroyed("aws_s3_bucket.reports", bucket("lumen-reports"))),
  },
  {
    name: "deletes Terraform's state bucket",
    level: "critical",
    why: "Losing the state loses track of every managed resource.",
    plan: planOf(destroyed("aws_s3_bucket.state", bucket("lumen-terraform-state", { force_destroy: true }))),
  },
  {
    name: "deletes a key",
    level: "critical",
    why: "Everything it encrypts becomes unreadable, including the orders database.",
    plan: planOf(destroyed("aws_kms_key.data", dataKey)),
  },
  {
    name: "deletes a secret",
    level: "critical",
    why: "The payment provider's key is lost after the recovery window.",
    plan: planOf(destroyed("aws_secretsmanager_secret.stripe", stripeSecret)),
  },
  {
    name: "deletes a SecureString parameter",
    level: "critical",
    why: "A SecureString has no recovery window: the password is lost immediately.",
    plan: planOf(destroyed("aws_ssm_parameter.password", parameter("/shop/smtp-password", "SecureString"))),
  },
  {
    name: "deletes a plain-text parameter",
    level: "medium",
    why: "It holds a security group id in plain text; check that nothing reads it.",
    plan: planOf(destroyed("aws_ssm_parameter.group", parameter("/shop/app-security-group", "String"))),
  },
  {
    name: "deletes a VPC",
    level: "critical",
    why: "Deletes the production network and everything in it.",
    plan: planOf(destroyed("aws_vpc.production", vpc)),
  },
  {
    name: "deletes a DNS zone",
    level: "critical",
    why: "The shop's domain names would stop resolving, and a new zone gets other name servers.",
    plan: planOf(destroyed("aws_route53_zone.shop", shopZone)),
  },
  {
    name: "deletes an image repository",
    level: "critical",
    why: "All images would be lost, and no release could be rolled back.",
    plan: planOf(destroyed("aws_ecr_repository.checkout", { ...repository("checkout"), force_delete: true })),
  },
  {
    name: "deletes a volume",
    level: "critical",
    why: "The data on the volume would be lost.",
    plan: planOf(destroyed("aws_ebs_volume.import", importVolume)),
  },
  {
    name: "deletes a snapshot",
    level: "critical",
    why: "A backup that can't be recreated.",
    plan: planOf(destroyed("aws_ebs_snapshot.before", snapshot)),
  },
  {
    name: "deletes the customers' user pool",
    level: "critical",
    why: "48,211 customers would have to sign up again.",
    plan: planOf(destroyed("aws_cognito_user_pool.customers", userPool)),
  },
  {
    name: "deletes the audit trail's log group",
    level: "critical",
    why: "The account's audit logs would be lost.",
    plan: planOf(destroyed("aws_cloudwatch_log_group.audit", logGroup("/cloudtrail/account", 400))),
  },
  {
    name: "deletes a queue",
    level: "critical",
    why: "Queued messages are lost, and producers fail.",
    plan: planOf(destroyed("aws_sqs_queue.emails", queue("emails"))),
  },
];
