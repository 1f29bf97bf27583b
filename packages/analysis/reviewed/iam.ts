import {
  attachment,
  EVERYTHING,
  managedPolicy,
  READ_REPORTS,
  role,
  rolePolicy,
  trustOfService,
  user,
} from "./estate/aws-identity.ts";
import { created, destroyed, planOf, policyDocument, type ReviewedPlan, updated } from "./plan.ts";

const onEverything = (...Action: string[]) => ({ Action, Resource: "*" });
const lambdaRole = role("emails", trustOfService("lambda"));

/** AWS: IAM policies. */
export const IAM: readonly ReviewedPlan[] = [
  {
    name: "attaches AdministratorAccess to a role",
    level: "critical",
    why: "Everyone who can assume the role `developers` would control the account.",
    plan: planOf(
      created("aws_iam_role_policy_attachment.developers", attachment("developers", "AdministratorAccess")),
    ),
  },
  {
    name: "an inline policy that allows everything",
    level: "critical",
    why: "`*` on `*` is full administration.",
    plan: planOf(created("aws_iam_role_policy.ci", rolePolicy("ci", "deploy", EVERYTHING))),
  },
  {
    name: "a policy that allows *:*",
    level: "critical",
    why: "`*:*` is full administration.",
    plan: planOf(
      updated("aws_iam_policy.deploy", managedPolicy("deploy", READ_REPORTS), {
        policy: policyDocument({ Action: ["*:*"], Resource: ["*"] }),
      }),
    ),
  },
  {
    name: "a policy that allows `iam:*`",
    level: "critical",
    why: "`iam:*` lets its holder become an administrator.",
    plan: planOf(created("aws_iam_policy.iam", managedPolicy("iam-automation", onEverything("iam:*")))),
  },
  {
    name: "attaches IAMFullAccess to a role",
    level: "critical",
    why: "Full control of IAM is full control of the account.",
    plan: planOf(created("aws_iam_role_policy_attachment.ops", attachment("ops", "IAMFullAccess"))),
  },
  {
    name: "a policy that allows attaching policies to any user",
    level: "critical",
    why: "`iam:AttachUserPolicy` on `*` lets its holder attach AdministratorAccess to itself.",
    plan: planOf(
      created("aws_iam_user_policy.support", {
        id: "support:users",
        name: "users",
        user: "support",
        policy: policyDocument(onEverything("iam:AttachUserPolicy", "iam:ListUsers")),
      }),
    ),
  },
  {
    name: "a policy that allows passing any role to a new function",
    level: "critical",
    why: "Its holder could run code as any role, including an administrator.",
    plan: planOf(
      created(
        "aws_iam_role_policy.builder",
        rolePolicy(
          "builder",
          "functions",
          onEverything("iam:PassRole", "lambda:CreateFunction", "lambda:InvokeFunction"),
        ),
      ),
    ),
  },
  {
    name: "a policy that allows `s3:*` on every bucket",
    level: "high",
    why: "It can read and delete every bucket, including backups and audit logs.",
    plan: planOf(created("aws_iam_policy.storage", managedPolicy("storage", onEverything("s3:*")))),
  },
  {
    name: "attaches PowerUserAccess to a role",
    level: "high",
    why: "Everything except IAM: all data, all services.",
    plan: planOf(created("aws_iam_role_policy_attachment.dev", attachment("developers", "PowerUserAccess"))),
  },
  {
    name: "a policy that allows everything except IAM",
    level: "high",
    why: "`NotAction` with `iam:*` allows everything else.",
    plan: planOf(
      created(
        "aws_iam_policy.dev",
        managedPolicy("developers", { NotAction: ["iam:*", "organizations:*"], Resource: "*" }),
      ),
    ),
  },
  {
    name: "a role that can read one bucket",
    level: "medium",
    why: "Read-only access to one bucket.",
    plan: planOf(
      created("aws_iam_role.reports", role("reports", trustOfService("lambda"))),
      created("aws_iam_role_policy.reports", rolePolicy("reports", "read", READ_REPORTS)),
    ),
  },
  {
    name: "a function's usual role",
    level: "medium",
    why: "AWSLambdaBasicExecutionRole only writes logs.",
    plan: planOf(
      created("aws_iam_role.emails", lambdaRole),
      created(
        "aws_iam_role_policy_attachment.emails",
        attachment("emails", "service-role/AWSLambdaBasicExecutionRole"),
      ),
    ),
  },
  {
    name: "adds a deny statement",
    level: "medium",
    why: "Removes permissions; check that nobody needs them.",
    plan: planOf(
      updated("aws_iam_policy.guard", managedPolicy("guard", READ_REPORTS), {
        policy: policyDocument(READ_REPORTS, {
          Effect: "Deny",
          Action: "*",
          Resource: "*",
          Condition: { Bool: { "aws:MultiFactorAuthPresent": "false" } },
        }),
      }),
    ),
  },
  {
    name: "a new user with an access key",
    level: "medium",
    why: "A key that never expires; prefer a role.",
    plan: planOf(
      created("aws_iam_user.exporter", user("exporter")),
      created("aws_iam_access_key.exporter", {
        id: "AKIAXFBQ6ZK5EXAMPLE1",
        user: "exporter",
        status: "Active",
        secret: null,
      }),
    ),
  },
  {
    name: "detaches a policy from a role",
    level: "medium",
    why: "The role may still need it.",
    plan: planOf(
      destroyed("aws_iam_role_policy_attachment.old", attachment("emails", "AmazonSQSFullAccess")),
    ),
  },
];
