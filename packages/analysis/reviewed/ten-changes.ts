import { text } from "@leeway/shared/values/json";

import { bucketPolicy, ordersDatabase, publicAccessBlock } from "./estate/aws-data.ts";
import { attachment, EVERYTHING, role, rolePolicy, trail } from "./estate/aws-identity.ts";
import { ACCOUNT, ANYWHERE, groupRule } from "./estate/aws-network.ts";
import { checkoutService } from "./estate/aws-serving.ts";
import { created, destroyed, planOf, type ReviewedPlan, updated } from "./plan.ts";

const INVOICES = "lumen-customer-invoices";
const READ_INVOICES = { Action: "s3:GetObject", Resource: `arn:aws:s3:::${INVOICES}/*` };

/** Ten changes that must not be applied, worst first. */
const WORST_FIRST = [
  created("aws_iam_role_policy.ci", rolePolicy("ci", "deploy", EVERYTHING)),
  created("aws_iam_role_policy_attachment.developers", attachment("developers", "AdministratorAccess")),
  created("aws_iam_role.partner", role("partner", { Principal: "*", Action: "sts:AssumeRole" })),
  created("aws_security_group_rule.all_ports", groupRule(0, ANYWHERE, { protocol: "-1" })),
  created("aws_security_group_rule.ssh", groupRule(22, ANYWHERE)),
  updated(
    "aws_s3_bucket_policy.invoices",
    bucketPolicy(INVOICES, { ...READ_INVOICES, Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/invoices` } }),
    bucketPolicy(INVOICES, { ...READ_INVOICES, Principal: "*" }),
  ),
  updated("aws_db_instance.orders", ordersDatabase, {
    publicly_accessible: true,
    deletion_protection: false,
    backup_retention_period: 0,
  }),
  updated(
    "aws_s3_bucket_public_access_block.invoices",
    publicAccessBlock(INVOICES),
    publicAccessBlock(INVOICES, false),
  ),
  destroyed("aws_cloudtrail.account", trail),
  updated("aws_ecs_service.checkout", checkoutService, { desired_count: 0 }),
];

/** Addresses of {@link TEN_CHANGES}, from the worst to the mildest. */
export const TEN_RANKED: readonly string[] = WORST_FIRST.map((change) => text(change, "address") ?? "");

/** The plan of ten changes that once passed a gate on `high`. */
export const TEN_CHANGES: ReviewedPlan = {
  name: "ten changes that nobody should apply",
  level: "critical",
  why: "Administrator rights, open ports, public invoices and no audit trail: block it.",
  plan: planOf(...WORST_FIRST),
};
