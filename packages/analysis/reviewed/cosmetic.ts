import { bucketPolicy, ordersDatabase } from "./estate/aws-data.ts";
import { ACCOUNT, tagged } from "./estate/aws-network.ts";
import { checkoutService, emailsFunction, loadBalancer, shopServer } from "./estate/aws-serving.ts";
import { logGroup, repository } from "./estate/aws-stores.ts";
import { planOf, type ReviewedPlan, unchanged, updated } from "./plan.ts";

const REPORTS = "lumen-reports";
const retagged = (name: string) => tagged(name, { CostCenter: "4711" });
const readers = {
  Sid: "Read",
  Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/reports` },
  Resource: `arn:aws:s3:::${REPORTS}/*`,
};

/** AWS: changes without effect. */
export const COSMETIC: readonly ReviewedPlan[] = [
  {
    name: "a database's tags",
    level: "none",
    why: "Tags only.",
    plan: planOf(updated("aws_db_instance.orders", ordersDatabase, retagged("orders"))),
  },
  {
    name: "a function's description",
    level: "none",
    why: "Description only.",
    plan: planOf(
      updated("aws_lambda_function.emails", emailsFunction, {
        description: "Sends confirmations and refunds",
      }),
    ),
  },
  {
    name: "tags of twelve resources",
    level: "none",
    why: "Tags only, everywhere.",
    plan: planOf(
      ...Array.from({ length: 6 }, (_, index) =>
        updated(`aws_instance.shop[${index}]`, shopServer, retagged("shop")),
      ),
      ...Array.from({ length: 4 }, (_, index) =>
        updated(
          `aws_cloudwatch_log_group.apps["app-${index}"]`,
          logGroup(`/ecs/app-${index}`),
          retagged("apps"),
        ),
      ),
      updated("aws_lb.shop", loadBalancer, retagged("shop")),
      updated("aws_ecr_repository.checkout", repository("checkout"), retagged("checkout")),
    ),
  },
  {
    name: "the same bucket policy, written differently",
    level: "none",
    why: "The same permissions: a string instead of a list of one.",
    plan: planOf(
      updated(
        "aws_s3_bucket_policy.reports",
        bucketPolicy(REPORTS, { ...readers, Action: ["s3:GetObject"] }),
        bucketPolicy(REPORTS, { ...readers, Action: "s3:GetObject" }),
      ),
    ),
  },
  {
    name: "a service is moved into a module",
    level: "none",
    why: "Only the resource address changes.",
    plan: planOf(
      unchanged("module.checkout.aws_ecs_service.this", checkoutService, {
        previous_address: "aws_ecs_service.checkout",
      }),
    ),
  },
  {
    name: "nothing changes",
    level: "none",
    why: "Nothing to do.",
    plan: planOf(unchanged("aws_db_instance.orders", ordersDatabase), unchanged("aws_lb.shop", loadBalancer)),
  },
];
